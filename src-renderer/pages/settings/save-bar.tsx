import { Alert, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { updateSettings, type SettingsView } from '#contract/settings';
import { keys } from '../../api/keys.ts';
import { CallError } from '../../api/transport.ts';
import { useChange } from '../../api/use-change.ts';
import { announceDone } from '../../ui/notices/announce.ts';
import { useUnloadGuard } from '../../forms/use-unload-guard.ts';
import { barRoom } from '../../ui/layout/bar-room.ts';
import { CertificateWarnings } from '../../ui/notices/certificate-warnings.tsx';
import { SaveWaits, useSaveWaits } from '../../ui/notices/save-waits.tsx';
import { nextAddress } from './next-address.ts';
import { RefusedSettings } from './refused-settings.tsx';
import { refusedFields } from './refused-fields.ts';
import { usePanelRestart } from './restart-store.ts';
import { effectOfAll } from './sections.ts';
import { changedKeys, toWire, useSettingsDraft } from './settings-draft.ts';
import classes from './settings.module.css';
import { useSettingsCertificates } from './use-settings-certificates.ts';

/** What is not saved: how much, what saving it restarts, where it moves this page, and the two ways out. */
export function SaveBar({ stored }: { stored: SettingsView }) {
  const { t } = useTranslation(['settings', 'shell']);
  const { changes, erased, refused, clear, refuse } = useSettingsDraft();
  const save = useChange(updateSettings, [keys.settings]);
  const certificates = useSettingsCertificates(changes);
  const isWaiting = useSaveWaits();
  const [failure, setFailure] = useState('');
  const changed = changedKeys(changes, erased);
  const effect = effectOfAll(changed);
  // Several saves may wait for one restart: the page moves from where the running panel is, not from the last save.
  const running = usePanelRestart((state) => state.running) ?? stored;
  const target = nextAddress(location.href, running, { ...stored, ...changes } as SettingsView);

  const handleSave = async (): Promise<void> => {
    setFailure('');
    if (certificates.isAsking || !(await certificates.isAccepted())) return;
    try {
      await save.mutateAsync({ body: toWire(changes, erased) });
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      refuse(refusedFields(error, changed));
      // Its field may stand in another section, so it is told here too.
      setFailure(error.message);
      return;
    }
    clear();
    announceDone(t('save.done'));
    if (effect === 'panel') usePanelRestart.getState().need(running, target);
  };
  useUnloadGuard(changed.length > 0);
  useHotkeys([['mod+S', () => void (changed.length > 0 && handleSave())]], []);
  if (changed.length === 0) return null;
  return (
    <Paper
      ref={barRoom}
      withBorder
      shadow="md"
      p="sm"
      className={classes['bar'] ?? ''}
      component="section"
      aria-label={t('save.region')}
    >
      <Stack gap="xs">
        {failure !== '' && <RefusedSettings failure={failure} refused={refused} />}
        {target !== null && (
          <Alert color="yellow" title={t('move.title')}>
            {t('move.text', { address: target })}
          </Alert>
        )}
        <CertificateWarnings warnings={certificates.warnings} />
        <Group justify="space-between">
          <Text size="sm">
            <b>{t('save.count', { count: changed.length })}</b> · {t(`save.${effect}`)}
          </Text>
          <SaveWaits />
          <Group gap="xs">
            <Button variant="default" onClick={clear}>
              {t('save.discard')}
            </Button>
            <Button
              loading={save.isPending || certificates.isAsking}
              disabled={isWaiting}
              onClick={() => void handleSave()}
            >
              {t(certificates.warnings.length > 0 ? 'shell:certificate.anyway' : 'shell:save')}
            </Button>
          </Group>
        </Group>
      </Stack>
    </Paper>
  );
}
