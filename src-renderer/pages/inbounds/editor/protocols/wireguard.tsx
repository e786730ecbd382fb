import { useTranslation } from 'react-i18next';
import { getNewX25519Cert } from '#contract/server';
import { useCall } from '../../../../api/transport-context.tsx';
import { useEditing } from '../parts/draft-context.tsx';
import { ChoiceAt, ListAt, NumberAt, SwitchAt, TextAt } from '../parts/fields.tsx';
import { FieldsGrid } from '../parts/fields-grid.tsx';
import { GenerateButton } from '../parts/generate-button.tsx';
import { RowsAt } from '../parts/rows-at.tsx';

const STRATEGIES = ['ForceIP', 'ForceIPv4', 'ForceIPv4v6', 'ForceIPv6', 'ForceIPv6v4'];

/** WireGuard writes keys in standard base64; the panel's generator returns base64url. */
const standard = (key: string): string => `${key.replaceAll('-', '+').replaceAll('_', '/')}=`;

/** WireGuard: it has peers instead of clients. */
export function WireguardFields() {
  const { t } = useTranslation('inboundEditor');
  const call = useCall();
  const { edit, editMany } = useEditing();
  const makeOwn = async (): Promise<void> =>
    edit('settings.secretKey', standard((await call(getNewX25519Cert, {})).privateKey));
  const makePeer = async (path: string): Promise<void> => {
    const { privateKey, publicKey } = await call(getNewX25519Cert, {});
    editMany({ [`${path}.privateKey`]: standard(privateKey), [`${path}.publicKey`]: standard(publicKey) });
  };
  return (
    <>
      <FieldsGrid>
        <TextAt
          path="settings.secretKey"
          name="secretKey"
          action={<GenerateButton run={makeOwn}>{t('generate.key')}</GenerateButton>}
        />
        <NumberAt path="settings.mtu" name="mtu" min={1} />
        <TextAt path="settings.dns" name="dns" hint="dns" isAbsentWhenEmpty />
        <ChoiceAt path="settings.domainStrategy" name="domainStrategy" options={STRATEGIES} emptyLabel="—" />
        <SwitchAt path="settings.noKernelTun" name="noKernelTun" />
      </FieldsGrid>
      <RowsAt path="settings.peers" name="peers" fresh={() => ({ publicKey: '', allowedIPs: [] })}>
        {(path) => (
          <>
            <TextAt
              path={`${path}.publicKey`}
              name="publicKey"
              action={<GenerateButton run={() => makePeer(path)}>{t('generate.pair')}</GenerateButton>}
            />
            <TextAt path={`${path}.privateKey`} name="peerPrivateKey" hint="peerPrivateKey" isAbsentWhenEmpty />
            <ListAt path={`${path}.allowedIPs`} name="allowedIps" />
            <TextAt path={`${path}.preSharedKey`} name="preSharedKey" isAbsentWhenEmpty />
            <NumberAt path={`${path}.keepAlive`} name="keepAlive" />
            <TextAt path={`${path}.comment`} name="comment" isAbsentWhenEmpty />
          </>
        )}
      </RowsAt>
    </>
  );
}
