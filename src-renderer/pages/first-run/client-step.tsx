import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { addClient, getClient } from '#contract/clients';
import { keys } from '../../api/keys.ts';
import { failureOf, useRead } from '../../api/use-read.ts';
import { Failure } from '../../ui/notices/failure.tsx';
import { useChange } from '../../api/use-change.ts';
import { QueryView } from '../../ui/query-view/query-view.tsx';
import { firstFlow } from '../clients/editor/client-form.ts';
import { ClientLinks } from '../clients/drawer/client-links.tsx';
import { takingClients, useInboundOptions } from '../clients/use-inbound-options.ts';

/** The first client, on every inbound that takes clients, with its code. The address names the client whose code is shown. */
export function ClientStep() {
  const [params, setParams] = useSearchParams();
  const email = params.get('client');
  if (email !== null) return <ClientCode email={email} />;
  return <ClientName onAdded={(added) => setParams({ step: 'client', client: added })} />;
}

function ClientName({ onAdded }: { onAdded: (email: string) => void }) {
  const { t } = useTranslation(['firstRun', 'words']);
  const inbounds = useInboundOptions();
  const add = useChange(addClient, [keys.clients, keys.inbounds]);
  const [email, setEmail] = useState('');
  const options = takingClients(inbounds.data ?? []);
  const inboundIds = options.map(({ id }) => id);
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    const name = email.trim();
    const flow = firstFlow(options);
    add.mutate({ body: { client: { email: name, flow }, inboundIds } }, { onSuccess: () => onAdded(name) });
  };
  return (
    <form onSubmit={handleSubmit}>
      <Stack>
        <Text size="sm">{t('client.text')}</Text>
        <Failure error={{ message: failureOf(inbounds) }} />
        {inbounds.data !== undefined && options.length === 0 && (
          <Alert color="yellow">{t('client.needsInbound')}</Alert>
        )}
        <TextInput
          label={t('client.email')}
          required
          maxLength={200}
          value={email}
          error={add.error?.message}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={add.isPending} disabled={inboundIds.length === 0}>
            {t('words:addClient')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function ClientCode({ email }: { email: string }) {
  const client = useRead(getClient, { params: { email } }, [...keys.clients, 'one', email]);
  return <QueryView query={client}>{(found) => <ClientLinks email={email} subId={found.client.subId} />}</QueryView>;
}
