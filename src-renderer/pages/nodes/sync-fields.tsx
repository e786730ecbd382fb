import { Select, TagsInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Controller, useWatch, type UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { listInboundOptions } from '#contract/inbounds';
import type { Node } from '#contract/nodes';
import { keys } from '../../api/keys.ts';
import { useCall } from '../../api/transport-context.tsx';
import type { NodeForm } from './node-form.ts';

const MODES = ['all', 'selected'] as const;

interface SyncFieldsProps {
  form: UseFormReturn<NodeForm>;
  stored: Node | null;
}

/** Which inbounds of the node this panel manages. */
export function SyncFields({ form, stored }: SyncFieldsProps) {
  const { t } = useTranslation('nodes');
  const call = useCall();
  const mode = useWatch({ control: form.control, name: 'inboundSyncMode' });
  const { data: tags = [] } = useQuery({
    queryKey: [...keys.inbounds, 'options'],
    queryFn: ({ signal }) => call(listInboundOptions, {}, signal),
    select: (options) => options.filter(({ nodeId }) => nodeId === stored?.id).map(({ tag }) => tag),
    enabled: stored !== null,
  });
  return (
    <>
      <Controller
        control={form.control}
        name="inboundSyncMode"
        render={({ field }) => (
          <Select
            label={t('field.inboundSyncMode')}
            data={MODES.map((value) => ({ value, label: t(`sync.${value}`) }))}
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
              data={tags}
              error={form.formState.errors.inboundTags?.message}
              {...field}
            />
          )}
        />
      )}
    </>
  );
}
