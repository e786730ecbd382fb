import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getNewX25519Cert } from '#contract/server';
import { useCall } from '../../../api/transport-context.tsx';
import { announceDone } from '../../../ui/notices/announce.ts';
import { confirmAction } from '../../../ui/confirm.tsx';
import { CopyField } from '../../../ui/copy/copy-field.tsx';
import { QueryView } from '../../../ui/query-view/query-view.tsx';
import { TitledCard } from '../../../ui/layout/titled-card.tsx';
import { useDraft } from '../model/draft.ts';
import { OUTBOUNDS, tagsAt } from '../model/lists.ts';
import { Failure } from '../../../ui/notices/failure.tsx';
import { Hint } from '../../../ui/layout/hint.tsx';
import {
  LICENCE_LENGTH,
  plainBase64,
  TUNNEL_TAG,
  TunnelConfig,
  TunnelData,
  tunnelOutbound,
  withOutbound,
} from './provider-outbounds.ts';
import { TunnelRotation } from './tunnel-rotation.tsx';
import { useAccount, useAction } from './use-provider.ts';

/** A device of the tunnel provider: registered here, turned into an outbound, with an optional licence. */
export function TunnelCard() {
  const { t } = useTranslation('core');
  const account = useAccount('tunnel');
  return (
    <TitledCard title={t('tunnel.title')}>
      <Hint>{t('tunnel.hint')}</Hint>
      <QueryView query={account} isEmpty={(data) => data === null} empty={<Register />}>
        {(data) => <Device data={TunnelData.parse(data)} />}
      </QueryView>
    </TitledCard>
  );
}

function Register() {
  const { t } = useTranslation('core');
  const call = useCall();
  const register = useAction('tunnel');
  const run = useMutation({
    async mutationFn() {
      const { privateKey, publicKey } = await call(getNewX25519Cert, {});
      return register.mutateAsync({
        action: 'reg',
        privateKey: plainBase64(privateKey),
        publicKey: plainBase64(publicKey),
      });
    },
  });
  return (
    <>
      <Failure error={run.error} />
      <div>
        <Button loading={run.isPending} onClick={() => run.mutate()}>
          {t('tunnel.register')}
        </Button>
      </div>
    </>
  );
}

function Device({ data }: { data: TunnelData }) {
  const { t } = useTranslation('core');
  const act = useAction('tunnel');
  const edit = useDraft((draft) => draft.change);
  const isThere = useDraft((draft) => tagsAt(draft.draft, OUTBOUNDS).includes(TUNNEL_TAG));
  const [licence, setLicence] = useState(data.license_key);
  const isShort = licence.trim().length < LICENCE_LENGTH;
  const build = useMutation({
    async mutationFn() {
      const config = TunnelConfig.parse(await act.mutateAsync({ action: 'config' }));
      edit((template) => withOutbound(template, tunnelOutbound(data, config)));
      announceDone(t('providers.added', { tag: TUNNEL_TAG }));
    },
  });
  const handleRemove = async (): Promise<void> => {
    const isSure = await confirmAction({
      title: t('tunnel.forgetTitle'),
      text: t('tunnel.forgetText'),
      action: t('tunnel.forget'),
    });
    if (isSure) act.mutate({ action: 'del' });
  };
  return (
    <Stack gap="sm">
      <CopyField label={t('tunnel.device')} value={data.device_id} />
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <TextInput
          label={t('tunnel.licence')}
          dir="ltr"
          value={licence}
          onChange={(event) => setLicence(event.currentTarget.value)}
          flex={1}
        />
        <Button
          variant="default"
          disabled={isShort || licence.trim() === data.license_key}
          loading={act.isPending}
          onClick={() => act.mutate({ action: 'license', license: licence.trim() })}
        >
          {t('tunnel.useLicence')}
        </Button>
      </Group>
      <TunnelRotation />
      <Failure error={act.error ?? build.error} />
      <Group gap="xs">
        <Button loading={build.isPending} onClick={() => build.mutate()}>
          {isThere ? t('providers.refreshOutbound') : t('outbounds.add')}
        </Button>
        <Button variant="default" onClick={() => void handleRemove()}>
          {t('tunnel.forget')}
        </Button>
      </Group>
    </Stack>
  );
}
