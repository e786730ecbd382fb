import { NumberInput, Switch } from '@mantine/core';
import { useController, type Control, type FieldPathByValue, type FieldValues } from 'react-hook-form';
import { SizeField } from './size-field.tsx';

interface ControlledProps<F extends FieldValues, V> {
  control: Control<F>;
  name: FieldPathByValue<F, V>;
  label: string;
}

/** A whole number from 0 on. */
export function CountField<F extends FieldValues>({ label, ...place }: ControlledProps<F, number>) {
  const { field, fieldState } = useController(place);
  return (
    <NumberInput
      label={label}
      min={0}
      allowDecimal={false}
      value={field.value}
      onChange={(next) => field.onChange(Number(next))}
      onBlur={field.onBlur}
      error={fieldState.error?.message}
    />
  );
}

/** Bytes; empty = 0, no quota. */
export function QuotaField<F extends FieldValues>({ label, ...place }: ControlledProps<F, number>) {
  const { field, fieldState } = useController(place);
  return <SizeField {...field} label={label} empty={0} error={fieldState.error?.message} />;
}

export function SwitchField<F extends FieldValues>({ label, ...place }: ControlledProps<F, boolean>) {
  const { field } = useController(place);
  return (
    <Switch
      label={label}
      checked={field.value}
      onChange={({ currentTarget }) => field.onChange(currentTarget.checked)}
    />
  );
}
