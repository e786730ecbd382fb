import { Button, Group, PasswordInput, SegmentedControl, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod';
import { confirmAction } from '../../../ui/confirm.tsx';
import { QueryView } from '../../../ui/query-view/query-view.tsx';
import { TitledCard } from '../../../ui/layout/titled-card.tsx';
import { useDraft } from '../model/draft.ts';
import { Failure } from '../../../ui/notices/failure.tsx';
import { Hint } from '../../../ui/layout/hint.tsx';
import { vpnTags, withoutVpn } from './provider-outbounds.ts';
import { useAccount, useAction } from './use-provider.ts';
import { VpnServerPicker } from './vpn-server-picker.tsx';

const VpnData = z.object({ private_key: z.string(), hasToken: z.boolean() });

/** An account of the VPN provider, and its servers as outbounds. */
export function VpnCard() {
  const { t } = useTranslation('core');
  const account = useAccount('vpn');
  return (
    <TitledCard title={t('vpn.title')}>
      <Hint>{t('vpn.hint')}</Hint>
      <QueryView query={account} isEmpty={(data) => data === null} empty={<SignIn />}>
        {(data) => <Account privateKey={VpnData.parse(data).private_key} />}
      </QueryView>
    </TitledCard>
  );
}

function SignIn() {
  const { t } = useTranslation('core');
  const act = useAction('vpn');
  const [kind, setKind] = useState<'token' | 'key'>('token');
  const [secret, setSecret] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        act.mutate(
          kind === 'token' ? { action: 'reg', token: secret.trim() } : { action: 'setKey', key: secret.trim() },
        );
      }}
    >
      <Stack gap="sm">
        <SegmentedControl
          aria-label={t('vpn.with')}
          data={[
            { value: 'token', label: t('vpn.token') },
            { value: 'key', label: t('vpn.key') },
          ]}
          value={kind}
          onChange={(value) => setKind(value)}
        />
        <PasswordInput
          label={t(`vpn.${kind}`)}
          dir="ltr"
          autoComplete="off"
          value={secret}
          onChange={(event) => setSecret(event.currentTarget.value)}
        />
        <Failure error={act.error} />
        <div>
          <Button type="submit" loading={act.isPending} disabled={secret.trim() === ''}>
            {t('vpn.signIn')}
          </Button>
        </div>
      </Stack>
    </form>
  );
}

function Account({ privateKey }: { privateKey: string }) {
  const { t } = useTranslation('core');
  const act = useAction('vpn');
  const edit = useDraft((draft) => draft.change);
  const template = useDraft(({ draft }) => draft);
  const handleLeave = async (): Promise<void> => {
    const isSure = await confirmAction({
      title: t('vpn.leaveTitle'),
      text: t('vpn.leaveText', { count: vpnTags(template).length }),
      action: t('vpn.leave'),
    });
    if (isSure) act.mutate({ action: 'del' }, { onSuccess: () => edit(withoutVpn) });
  };
  return (
    <Stack gap="sm">
      <VpnServerPicker privateKey={privateKey} />
      <Failure error={act.error} />
      <Group>
        <Button variant="default" loading={act.isPending} onClick={() => void handleLeave()}>
          {t('vpn.leave')}
        </Button>
      </Group>
    </Stack>
  );
}
