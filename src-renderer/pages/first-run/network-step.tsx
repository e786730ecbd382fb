import { Alert, Stack, Switch, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { getReachability } from '#contract/server';
import { updateSettings, type SettingsView } from '#contract/settings';
import { keys } from '../../api/keys.ts';
import { useRead } from '../../api/use-read.ts';
import { useChange } from '../../api/use-change.ts';
import { announceFailure } from '../../ui/notices/announce.ts';
import { CopyField } from '../../ui/copy/copy-field.tsx';
import { QueryView } from '../../ui/query-view/query-view.tsx';
import { RestartNotice } from '../settings/restart/restart-notice.tsx';
import { usePanelRestart } from '../settings/restart/restart-store.ts';
import { useRestartPanel } from '../settings/restart/use-restart-panel.ts';
import { useSettings } from '../settings/use-settings.ts';
import { firewallCommands, systemOf } from './firewall.ts';

const LOOPBACK = '127.0.0.1';

/** Whether other devices on the network may open this panel and fetch subscriptions, and what that requires. */
export function NetworkStep() {
  const settings = useSettings();
  return <QueryView query={settings}>{(stored) => <Reachable stored={stored} />}</QueryView>;
}

function Reachable({ stored }: { stored: SettingsView }) {
  const { t } = useTranslation('firstRun');
  const save = useChange(updateSettings, [keys.settings]);
  const restart = useRestartPanel();
  const isRestarting = usePanelRestart(({ phase }) => phase === 'running' || phase === 'slow');
  const isOpen = stored.webListen !== LOOPBACK;
  const handleSwitch = async (isWanted: boolean): Promise<void> => {
    const listen = isWanted ? '' : LOOPBACK;
    try {
      await save.mutateAsync({ body: { webListen: listen, subListen: listen } });
      await restart();
    } catch (error) {
      announceFailure(error as Error);
    }
  };
  return (
    <Stack>
      <Text size="sm">{t('network.text')}</Text>
      <Switch
        label={t('network.switch')}
        checked={isOpen}
        disabled={isRestarting || save.isPending}
        onChange={(event) => void handleSwitch(event.currentTarget.checked)}
      />
      <RestartNotice />
      {isOpen && !isRestarting && <Addresses ports={[stored.webPort, stored.subPort]} />}
    </Stack>
  );
}

/** The panel's address on the network, and how to open this system's firewall. */
function Addresses({ ports }: { ports: readonly number[] }) {
  const { t } = useTranslation('firstRun');
  const reach = useRead(getReachability, {}, [...keys.settings, 'reachability']);
  const system = systemOf(navigator.userAgent);
  return (
    <QueryView
      query={reach}
      isEmpty={({ addresses }) => addresses.length === 0}
      empty={<Alert color="yellow">{t('network.noNetwork')}</Alert>}
    >
      {({ addresses }) => (
        <Stack>
          {addresses.map((address) => (
            <CopyField key={address} label={t('network.address')} value={address} />
          ))}
          {addresses[0]?.startsWith('http:') === true && (
            <Alert color="yellow" role="note">
              {t('network.plain')}
            </Alert>
          )}
          <Text size="sm">{t(`network.firewall.${system}`, { ports: ports.join(', ') })}</Text>
          {system === 'linux' &&
            firewallCommands(ports).map((command) => (
              <CopyField key={command} label={t('network.command')} value={command} />
            ))}
        </Stack>
      )}
    </QueryView>
  );
}
