import { MultiSelect } from '@mantine/core';
import { Controller, type UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { InboundOption } from '#contract/inbounds';
import { inboundLabel, takingClients } from '../use-inbound-options.ts';
import { firstFlow, type ClientForm } from './client-form.ts';

interface InboundsFieldProps {
  form: Pick<UseFormReturn<ClientForm>, 'control' | 'setValue' | 'getFieldState'>;
  error: string | undefined;
  options: readonly InboundOption[];
  isNew: boolean;
}

/** The inbounds that a client is attached to. */
export function InboundsField({ form, error, options, isNew }: InboundsFieldProps) {
  const { t } = useTranslation('clients');
  return (
    <Controller
      name="inboundIds"
      control={form.control}
      render={({ field: { ref, value, onChange } }) => (
        <MultiSelect
          ref={ref}
          label={t('form.inbounds')}
          data={takingClients(options).map((option) => ({
            value: String(option.id),
            label: inboundLabel(option),
          }))}
          value={value}
          onChange={(ids) => {
            onChange(ids);
            const chosen = options.filter(({ id }) => ids.includes(String(id)));
            // Until somebody chooses a flow, a new client has the one that fits its inbounds.
            if (isNew && !form.getFieldState('flow').isTouched)
              form.setValue('flow', firstFlow(chosen), { shouldDirty: true });
          }}
          searchable
          error={error}
        />
      )}
    />
  );
}
