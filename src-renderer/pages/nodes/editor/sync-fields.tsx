import { useWatch, type UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { NodeForm } from './node-form.ts';
import { SelectField, TagsField } from '../../../forms/controlled-fields.tsx';

const MODES = ['all', 'selected'] as const;
const EDITS = ['follow', 'show'] as const;

interface SyncFieldsProps {
  form: UseFormReturn<NodeForm>;
  /** Tags found on the node. */
  found: readonly string[];
}

/** Which of the node's own inbounds this panel takes over. */
export function SyncFields({ form, found }: SyncFieldsProps) {
  const { t } = useTranslation('nodes');
  const mode = useWatch({ control: form.control, name: 'inboundSyncMode' });
  const edits = useWatch({ control: form.control, name: 'remoteEdits' });
  return (
    <>
      <SelectField
        control={form.control}
        name="inboundSyncMode"
        label={t('field.inboundSyncMode')}
        description={t(`syncText.${mode}`)}
        data={MODES.map((value) => ({ value, label: t(`sync.${value}`) }))}
      />
      <SelectField
        control={form.control}
        name="remoteEdits"
        label={t('drift.edits.label')}
        description={t(`drift.editsText.${edits}`)}
        data={EDITS.map((value) => ({ value, label: t(`drift.edits.${value}`) }))}
      />
      {mode === 'selected' && (
        <TagsField
          control={form.control}
          name="inboundTags"
          label={t('field.inboundTags')}
          description={t('hint.inboundTags')}
          data={[...found]}
        />
      )}
    </>
  );
}
