import { Select, Switch, TagsInput, type SelectProps, type SwitchProps, type TagsInputProps } from '@mantine/core';
import { useController, type Control, type FieldPathByValue, type FieldValues } from 'react-hook-form';
import { SizeField } from './size-field.tsx';
import { NumberField, type NumberFieldProps } from './number-field.tsx';

/** A field of the kit bound to a place of the form; it shows that place's error unless another is given. */
type Controlled<F extends FieldValues, V, Props> = Omit<Props, 'value' | 'checked' | 'onChange'> & {
  control: Control<F>;
  name: FieldPathByValue<F, V>;
};

/** A whole number from 0 on. */
export function CountField<F extends FieldValues>({ control, name, ...rest }: Controlled<F, number, NumberFieldProps>) {
  const { field, fieldState } = useController({ control, name });
  return <NumberField min={0} empty={0} {...field} error={fieldState.error?.message} {...rest} />;
}

/** Bytes; empty = 0, no quota. */
export function QuotaField<F extends FieldValues>({ label, ...place }: Controlled<F, number, { label: string }>) {
  const { field, fieldState } = useController(place);
  return <SizeField {...field} label={label} empty={0} error={fieldState.error?.message} />;
}

export function SwitchField<F extends FieldValues>({ control, name, ...rest }: Controlled<F, boolean, SwitchProps>) {
  const { field } = useController({ control, name });
  const { value, ...place } = field;
  return <Switch checked={value} {...place} {...rest} />;
}

/** One of several values; '' is none where the field can be cleared. */
export function SelectField<F extends FieldValues>(props: Controlled<F, string, SelectProps>) {
  const { control, name, clearable = false, ...rest } = props;
  const { field, fieldState } = useController({ control, name });
  const { value, onChange, ...place } = field;
  return (
    <Select
      clearable={clearable}
      allowDeselect={clearable}
      value={clearable && value === '' ? null : value}
      onChange={(chosen) => onChange(chosen ?? '')}
      error={fieldState.error?.message}
      {...place}
      {...rest}
    />
  );
}

/** A list of texts, entered one by one. */
export function TagsField<F extends FieldValues>({ control, name, ...rest }: Controlled<F, string[], TagsInputProps>) {
  const { field, fieldState } = useController({ control, name });
  return <TagsInput dir="ltr" error={fieldState.error?.message} {...field} {...rest} />;
}
