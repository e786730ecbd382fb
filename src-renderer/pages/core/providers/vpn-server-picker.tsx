import { Button, Select, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod';
import { vpnAction } from '#contract/providers';
import { keys } from '../../../api/keys.ts';
import { useCall } from '../../../api/transport-context.tsx';
import { announceDone } from '../../../ui/notices/announce.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useDraft } from '../model/draft.ts';
import { textAt } from '../../../forms/draft/json.ts';
import { Failure } from '../../../ui/notices/failure.tsx';
import { usableServers, VpnServers, vpnOutbound, withOutbound } from './provider-outbounds.ts';

const Countries = z.array(z.object({ id: z.number(), name: z.string(), code: z.string() }));
const FRESH_MS = 600_000;

/** Picks a country, then a server, and adds an outbound for it. */
export function VpnServerPicker({ privateKey }: { privateKey: string }) {
  const { t } = useTranslation('core');
  const format = useFormat();
  const call = useCall();
  const edit = useDraft((draft) => draft.change);
  const [countryId, setCountry] = useState<string | null>(null);
  const [hostname, setHost] = useState<string | null>(null);
  const countries = useQuery({
    queryKey: [...keys.core, 'vpn-countries'],
    staleTime: FRESH_MS,
    queryFn: async ({ signal }) =>
      Countries.parse(JSON.parse(await call(vpnAction, { params: { action: 'countries' }, body: {} }, signal))),
  });
  const servers = useQuery({
    queryKey: [...keys.core, 'vpn-servers', countryId],
    staleTime: FRESH_MS,
    enabled: countryId !== null,
    queryFn: async ({ signal }) => {
      const body = { countryId: countryId ?? '' };
      return usableServers(
        VpnServers.parse(JSON.parse(await call(vpnAction, { params: { action: 'servers' }, body }, signal))),
      );
    },
  });
  const chosen = servers.data?.find((server) => server.hostname === hostname);
  const handleAdd = (): void => {
    if (chosen === undefined) return;
    const outbound = vpnOutbound(privateKey, chosen);
    edit((template) => withOutbound(template, outbound));
    announceDone(t('providers.added', { tag: textAt(outbound['tag']) }));
  };
  const error = countries.error ?? servers.error;
  return (
    <Stack gap="sm">
      <Failure error={error} />
      <Select
        label={t('vpn.country')}
        data={(countries.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
        value={countryId}
        onChange={(value) => {
          setCountry(value);
          setHost(null);
        }}
        disabled={countries.data === undefined}
        searchable
      />
      <Select
        label={t('vpn.server')}
        data={(servers.data ?? []).map((server) => ({
          value: server.hostname,
          label: `${server.hostname} · ${server.city} · ${format.percent(server.load)}`,
        }))}
        value={hostname}
        onChange={setHost}
        disabled={servers.data === undefined}
        searchable
      />
      <div>
        <Button disabled={chosen === undefined} onClick={handleAdd}>
          {t('outbounds.add')}
        </Button>
      </div>
    </Stack>
  );
}
