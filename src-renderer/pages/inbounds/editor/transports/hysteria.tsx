import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Json } from '#wire/json';
import type { Draft } from '../../model/draft.ts';
import { readAt, textAt } from '../../../../forms/draft/json.ts';
import { useDraftState, useEditing, useTextAt } from '../parts/draft-context.tsx';
import { NumberAt, ORDER, SwitchAt, TextAt } from '../parts/fields.tsx';
import { FieldsGrid } from '../parts/fields-grid.tsx';
import { GenerateButton } from '../parts/generate-button.tsx';
import { randomWord } from '../parts/random-text.ts';

const AT = 'streamSettings.hysteriaSettings';
const MASK = 'streamSettings.finalmask.udp';

/** Hysteria's own transport: obfuscation, and the page shown to strangers. */
export function HysteriaFields() {
  const { t } = useTranslation('inboundEditor');
  const { edit, current } = useEditing();
  const masquerade = useTextAt(`${AT}.masquerade.type`);
  const salamander = useDraftState(({ draft }) =>
    masksOf(draft).findIndex((mask) => textAt(mask, 'type') === 'salamander'),
  );
  return (
    <FieldsGrid>
      {salamander === -1 ? (
        <GenerateButton
          run={() =>
            edit(MASK, [...masksOf(current()), { type: 'salamander', settings: { password: randomWord(16) } }])
          }
        >
          {t('generate.obfuscation')}
        </GenerateButton>
      ) : (
        <TextAt path={`${MASK}.${salamander}.settings.password`} name="obfuscation" hint="obfuscation" />
      )}
      <NumberAt path={`${AT}.udpIdleTimeout`} name="udpIdleTimeout" min={2} max={600} hint="seconds" />
      <Select
        label={t('field.masquerade')}
        description={t('hint.masquerade')}
        inputWrapperOrder={ORDER}
        data={[
          { value: '', label: t('masquerade.none') },
          { value: 'proxy', label: t('masquerade.proxy') },
          { value: 'file', label: t('masquerade.file') },
          { value: 'string', label: t('masquerade.string') },
        ]}
        value={masquerade}
        allowDeselect={false}
        onChange={(type) => edit(`${AT}.masquerade`, type === '' || type === null ? undefined : { type })}
      />
      {masquerade === 'proxy' && <TextAt path={`${AT}.masquerade.url`} name="masqueradeUrl" />}
      {masquerade === 'proxy' && <SwitchAt path={`${AT}.masquerade.rewriteHost`} name="rewriteHost" />}
      {masquerade === 'file' && <TextAt path={`${AT}.masquerade.dir`} name="folder" />}
      {masquerade === 'string' && <TextAt path={`${AT}.masquerade.content`} name="content" />}
      {masquerade === 'string' && <NumberAt path={`${AT}.masquerade.statusCode`} name="responseStatus" />}
    </FieldsGrid>
  );
}

function masksOf(draft: Draft): readonly Json[] {
  const masks = readAt(draft, MASK);
  return Array.isArray(masks) ? masks : [];
}
