import { MultiSelect } from '@mantine/core';
import { failureOf } from '../../api/use-read.ts';
import { inboundLabel, takingClients, useInboundOptions } from './use-inbound-options.ts';

interface InboundPickerProps {
  label: string;
  value: readonly string[];
  onChange: (ids: string[]) => void;
}

/** Chooses inbounds by name; values are ids as text. */
export function InboundPicker({ label, value, onChange }: InboundPickerProps) {
  const options = useInboundOptions();
  return (
    <MultiSelect
      label={label}
      data={takingClients(options.data ?? []).map((option) => ({
        value: String(option.id),
        label: inboundLabel(option),
      }))}
      value={[...value]}
      onChange={onChange}
      disabled={options.data === undefined}
      error={failureOf(options)}
      searchable
      data-autofocus
    />
  );
}
