import { useTranslation } from 'react-i18next';
import { useEditing, useTextAt } from '../parts/draft-context.tsx';
import { ChoiceAt, SwitchAt, TextAt } from '../parts/fields.tsx';
import { FieldsGrid } from '../parts/fields-grid.tsx';
import { GenerateButton } from '../parts/generate-button.tsx';
import { randomBase64 } from '../parts/random-text.ts';

const METHODS = [
  '2022-blake3-aes-256-gcm',
  '2022-blake3-aes-128-gcm',
  '2022-blake3-chacha20-poly1305',
  'aes-256-gcm',
  'chacha20-poly1305',
  'chacha20-ietf-poly1305',
  'xchacha20-ietf-poly1305',
];

/** Shadowsocks; the 2022 methods need a key of fixed size. */
export function ShadowsocksFields() {
  const { t } = useTranslation('inboundEditor');
  const { edit } = useEditing();
  const method = useTextAt('settings.method');
  const make = (): void => edit('settings.password', randomBase64(method.includes('aes-128') ? 16 : 32));
  return (
    <FieldsGrid>
      <ChoiceAt path="settings.method" name="method" options={METHODS} />
      <ChoiceAt path="settings.network" name="networks" options={['tcp', 'udp', 'tcp,udp']} />
      {method.startsWith('2022-') && (
        <TextAt
          path="settings.password"
          name="serverKey"
          hint="serverKey"
          action={<GenerateButton run={make}>{t('generate.key')}</GenerateButton>}
        />
      )}
      <SwitchAt path="settings.ivCheck" name="ivCheck" />
    </FieldsGrid>
  );
}
