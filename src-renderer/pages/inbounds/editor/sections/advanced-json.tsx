import { Alert } from '@mantine/core';
import { memo, useDeferredValue } from 'react';
import { useTranslation } from 'react-i18next';
import { JsonEditor } from '../../../../ui/json/json-editor.tsx';
import { Hint } from '../../../../ui/layout/hint.tsx';
import { jsonText, readAt } from '../../../../forms/draft/json.ts';
import { INBOUND_SCHEMA } from '../inbound-schema.ts';
import { useDraftState, useDraftStore } from '../parts/draft-context.tsx';
import { SectionCard } from './section-card.tsx';

/** The whole inbound as text: the way to members without a field. @param isNew adds its clients, else they replace */
export const AdvancedJsonSection = memo(function AdvancedJsonSection({ isNew }: { isNew: boolean }) {
  const { t } = useTranslation('inboundEditor');
  const store = useDraftStore();
  const isLoose = useDraftState(({ looseText }) => looseText !== null);
  const typed = useDraftState(({ looseText, typedText }) => looseText ?? typedText);
  // The fields render before the text; typing here is not deferred.
  const draft = useDeferredValue(useDraftState((state) => state.draft));
  return (
    <SectionCard section="json">
      <Hint>{t('json.hint')}</Hint>
      {isLoose && <Alert color="yellow">{t('json.loose')}</Alert>}
      {readAt(draft, 'settings.clients') !== undefined && (
        <Alert color="yellow">{t(isNew ? 'json.add' : 'json.replace')}</Alert>
      )}
      <JsonEditor
        label={t('json.label')}
        value={typed ?? jsonText(draft)}
        onChange={(text) => store.getState().typeText(text)}
        schema={INBOUND_SCHEMA}
        minHeight={280}
      />
    </SectionCard>
  );
});
