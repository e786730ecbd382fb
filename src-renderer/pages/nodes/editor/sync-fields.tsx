import { Select, TagsInput } from '@mantine/core';
import { Controller, useWatch, type UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { NodeForm } from './node-form.ts';

const MODES = ['all', 'selected'] as const;
const EDITS = ['follow', 'show'] as const;

interface SyncFieldsProps {
  form: UseFormReturn<NodeForm>;
  /** Tags that the node was found to have. */
  found: readonly string[];
}

/** What of the node's own inbounds this panel takes over. */
export function SyncFields({ form, found }: SyncFieldsProps) {
  const { t } = useTranslation('nodes');
  const mode = useWatch({ control: form.control, name: 'inboundSyncMode' });
  return (
    <>
      <Controller
        control={form.control}
        name="inboundSyncMode"
        render={({ field }) => (
          <Select
            label={t('field.inboundSyncMode')}
            description={t(`syncText.${mode}`)}
            data={MODES.map((value) => ({ value, label: t(`sync.${value}`) }))}
            allowDeselect={false}
            {...field}
          />
        )}
      />
      <Controller
        control={form.control}
        name="remoteEdits"
        render={({ field }) => (
          <Select
            label={t('drift.edits.label')}
            description={t(`drift.editsText.${field.value}`)}
            data={EDITS.map((value) => ({ value, label: t(`drift.edits.${value}`) }))}
            allowDeselect={false}
            {...field}
          />
        )}
      />
      {mode === 'selected' && (
        <Controller
          control={form.control}
          name="inboundTags"
          render={({ field }) => (
            <TagsInput
              label={t('field.inboundTags')}
              description={t('hint.inboundTags')}
              dir="ltr"
              data={[...found]}
              error={form.formState.errors.inboundTags?.message}
              {...field}
            />
          )}
        />
      )}
    </>
  );
}
