import { Select, Switch, TagsInput, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { bytesOf, type ByteUnit } from '../../../../forms/byte-size.ts';
import { textsAt } from '../../../../forms/draft/json.ts';
import { NumberField } from '../../../../forms/number-field.tsx';
import { SizeField } from '../../../../forms/size-field.tsx';
import type texts from '../../../../i18n/en/later/inbounds/inboundEditor.json';
import classes from './fields.module.css';
import { placed, useEditing, useIssueAt, useValueAt } from './draft-context.tsx';

export type FieldName = keyof typeof texts.field;
export type HintName = keyof typeof texts.hint;

interface FieldProps {
  /** Path of its value in the draft. */
  path: string;
  /** Its label; absent = the core's own name, which people who tune this field know. */
  name?: FieldName;
  hint?: HintName;
}

/** Hints stand below, so that the inputs of a row stay aligned. */
export const ORDER: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error'];

function useField({ path, name, hint }: FieldProps) {
  const { t } = useTranslation('inboundEditor');
  const { edit } = useEditing();
  const stored = useValueAt(path);
  const issue = useIssueAt(path);
  return {
    stored,
    text: typeof stored === 'string' ? stored : '',
    set: (value: Parameters<typeof edit>[1]) => edit(path, value),
    shown: {
      label: name === undefined ? (path.split('.').at(-1) ?? '') : t(`field.${name}`),
      error: issue,
      wrapperProps: placed(path),
      ...(hint === undefined ? {} : { description: t(`hint.${hint}`) }),
    },
    wrapped: { inputWrapperOrder: ORDER },
  };
}

/** A line of text; a stored number is shown as text. */
export function TextAt({
  placeholder,
  action,
  isAbsentWhenEmpty = false,
  ...field
}: FieldProps & { placeholder?: string; action?: ReactNode; isAbsentWhenEmpty?: boolean }) {
  const { stored, text, set, shown, wrapped } = useField(field);
  return (
    <TextInput
      {...shown}
      {...wrapped}
      dir={field.name === 'remark' ? 'auto' : 'ltr'}
      autoComplete="off"
      spellCheck={false}
      value={typeof stored === 'number' ? String(stored) : text}
      onChange={({ currentTarget: { value } }) => set(value === '' && isAbsentWhenEmpty ? undefined : value)}
      {...(placeholder === undefined ? {} : { placeholder })}
      inputContainer={(input) => beside(input, action)}
    />
  );
}

/** An input beside the button that fills it. */
function beside(input: ReactNode, action: ReactNode): ReactNode {
  if (action === undefined) return input;
  return (
    <div className={classes['beside']}>
      <div>{input}</div>
      {action}
    </div>
  );
}

/** A whole number; empty = absent. */
export function NumberAt({
  min = 0,
  max,
  suffix,
  ...field
}: FieldProps & { min?: number; max?: number; suffix?: string }) {
  const { stored, set, shown, wrapped } = useField(field);
  return (
    <NumberField
      {...shown}
      {...wrapped}
      min={min}
      {...(max === undefined ? {} : { max })}
      {...(suffix === undefined ? {} : { suffix })}
      hideControls
      value={typeof stored === 'number' || typeof stored === 'string' ? stored : null}
      empty={null}
      onChange={(value) => set(value ?? undefined)}
    />
  );
}

/** A size stored in whole units of `unit`, the unit of a number without one too; empty = absent. */
export function SizeAt({ unit = 'B', ...field }: FieldProps & { unit?: ByteUnit }) {
  const { stored, set, shown, wrapped } = useField(field);
  return (
    <SizeField
      {...shown}
      {...wrapped}
      unit={unit}
      step={unit}
      value={typeof stored === 'number' ? stored * bytesOf(unit) : typeof stored === 'string' ? stored : undefined}
      onChange={(value) => set(typeof value === 'number' ? value / bytesOf(unit) : value)}
    />
  );
}

/** Off is stored as absent, since absent means off. */
export function SwitchAt(field: FieldProps) {
  const { stored, set, shown } = useField(field);
  return (
    <Switch
      {...shown}
      checked={stored === true}
      onChange={(event) => set(event.currentTarget.checked ? true : undefined)}
    />
  );
}

/** One of a list; a value that is not on it stays visible, since newer cores know more. Empty = absent. */
export function ChoiceAt({
  options,
  emptyLabel,
  ...field
}: FieldProps & { options: readonly string[]; emptyLabel?: string }) {
  const { text, set, shown, wrapped } = useField(field);
  const data = options.includes(text) || text === '' ? options : [...options, text];
  return (
    <Select
      {...shown}
      {...wrapped}
      data={[...data]}
      value={text === '' ? null : text}
      onChange={(value) => set(value ?? undefined)}
      clearable={emptyLabel !== undefined}
      {...(emptyLabel === undefined ? {} : { placeholder: emptyLabel })}
      allowDeselect={false}
      clearButtonProps={{ 'aria-label': shown.label }}
    />
  );
}

/** Texts, entered one by one; stored as one text by some, with commas. */
export function ListAt({
  options = [],
  action,
  ...field
}: FieldProps & { options?: readonly string[]; action?: ReactNode }) {
  const { stored, set, shown, wrapped } = useField(field);
  return (
    <TagsInput
      {...shown}
      {...wrapped}
      dir="ltr"
      data={[...options]}
      value={textsAt(stored)}
      onChange={set}
      splitChars={[',', ' ']}
      acceptValueOnBlur
      inputContainer={(input) => beside(input, action)}
    />
  );
}
