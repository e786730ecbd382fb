import { Alert, Autocomplete, Button, Group, Stack, Text } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { getReachability } from '#contract/server';
import { updateSettings } from '#contract/settings';
import { CallError } from '../../api/transport.ts';
import { keys } from '../../api/keys.ts';
import { usePanelUrl } from '../../api/panel-url.ts';
import { useRead } from '../../api/use-read.ts';
import { useChange } from '../../api/use-change.ts';
import { isNear } from '../../ui/notices/near-host.ts';
import { QueryView } from '../../ui/query-view/query-view.tsx';
import { useSettings } from '../settings/use-settings.ts';
import { proposedAddresses } from './proposed-addresses.ts';

/** The address or name in links and codes. It is the subscription domain, which links use too. */
export function AddressStep({ onDone }: { onDone: () => void }) {
  const settings = useSettings();
  const panel = usePanelUrl();
  const reach = useRead(getReachability, {}, [...keys.settings, 'reachability']);
  return (
    <QueryView query={settings}>
      {({ subDomain, webDomain }) => (
        <QueryView query={reach}>
          {({ hosts }) => {
            const found = proposedAddresses(hosts, panel?.hostname ?? '');
            return <AddressForm stored={subDomain || webDomain} found={found} onDone={onDone} />;
          }}
        </QueryView>
      )}
    </QueryView>
  );
}

interface AddressFormProps {
  stored: string;
  found: readonly string[];
  onDone: () => void;
}

function AddressForm({ stored, found, onDone }: AddressFormProps) {
  const { t } = useTranslation('firstRun');
  const save = useChange(updateSettings, [keys.settings]);
  const [typed, setTyped] = useState<string | null>(null);
  const address = typed ?? (stored || (found[0] ?? ''));
  const host = address.trim();
  // The server names the setting, which this field is not called by.
  const isNoName = save.error instanceof CallError && save.error.code === 'settings.domain';
  const problem = isNoName ? t('address.invalid') : save.error?.message;
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate({ body: { subDomain: host } }, { onSuccess: onDone });
  };
  return (
    <form onSubmit={handleSubmit}>
      <Stack>
        <Text size="sm">{t('address.text')}</Text>
        <Autocomplete
          label={t('address.label')}
          description={t('address.empty')}
          dir="ltr"
          maxLength={253}
          data={[...found]}
          filter={({ options }) => options}
          value={address}
          error={problem}
          onChange={setTyped}
        />
        {isNear(host) && (
          <Alert color="yellow" role="note">
            {t('address.near', { host })}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={save.isPending}>
            {t('address.use')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
