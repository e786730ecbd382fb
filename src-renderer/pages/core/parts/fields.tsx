import { PasswordInput, Select, Switch, TagsInput, TextInput } from '@mantine/core';
import type { Json, JsonObject } from '#wire/json';
import { bytesOf, type ByteUnit } from '../../../forms/byte-size.ts';
import { NumberField as TypedNumber } from '../../../forms/number-field.tsx';
import { SizeField as TypedSize } from '../../../forms/size-field.tsx';
import { readAt, textAt, textsAt, writeAt, type Path } from '../../../forms/draft/json.ts';

/** A field over one place of a JSON object: reads and writes only there. */
export interface Place {
  root: JsonObject;
  path: Path;
  /** @param field names the place, so that its keystrokes are one undo step */
  onEdit: (next: JsonObject, field: string) => void;
  label: string;
  description?: string | undefined;
  error?: string | undefined;
}

function put({ root, path, onEdit }: Place, value: Json | undefined): void {
  onEdit(writeAt(root, path, value), path.join('.'));
}

const shown = ({ label, description, error }: Place) => ({
  label,
  ...(description === undefined ? {} : { description }),
  ...(error === undefined ? {} : { error }),
});

/** Empty = absent. @param isFirst takes the focus of its dialog */
export function TextField({
  placeholder,
  isSecret = false,
  isFirst = false,
  ...place
}: Place & { placeholder?: string; isSecret?: boolean; isFirst?: boolean }) {
  const stored = readAt(place.root, place.path);
  const Input = isSecret ? PasswordInput : TextInput;
  return (
    <Input
      {...shown(place)}
      dir="ltr"
      autoComplete="off"
      {...(isFirst ? { 'data-autofocus': true } : {})}
      {...(placeholder === undefined ? {} : { placeholder })}
      value={typeof stored === 'number' ? String(stored) : textAt(stored)}
      onChange={(event) => put(place, event.currentTarget.value === '' ? undefined : event.currentTarget.value)}
    />
  );
}

export function NumberField({ min = 0, max, ...place }: Place & { min?: number; max?: number }) {
  const stored = readAt(place.root, place.path);
  return (
    <TypedNumber
      {...shown(place)}
      min={min}
      {...(max === undefined ? {} : { max })}
      value={typeof stored === 'number' || typeof stored === 'string' ? stored : null}
      empty={null}
      onChange={(value) => put(place, value ?? undefined)}
    />
  );
}

/** A size stored in whole units of `unit`, the unit of a number without one too; empty = absent. */
export function SizeField({ unit, min = 0, ...place }: Place & { unit: ByteUnit; min?: number }) {
  const stored = readAt(place.root, place.path);
  const size = bytesOf(unit);
  return (
    <TypedSize
      {...shown(place)}
      unit={unit}
      step={unit}
      min={min * size}
      value={typeof stored === 'number' ? stored * size : typeof stored === 'string' ? stored : undefined}
      onChange={(value) => put(place, typeof value === 'number' ? value / size : value)}
    />
  );
}

/** Off is stored as absent where absent means off. */
export function SwitchField(place: Place & { isOffAbsent?: boolean }) {
  const { isOffAbsent = true } = place;
  return (
    <Switch
      {...shown(place)}
      checked={readAt(place.root, place.path) === true}
      onChange={(event) => put(place, event.currentTarget.checked ? true : isOffAbsent ? undefined : false)}
    />
  );
}

/** A choice; a value that is not on the list stays selectable, since newer cores know more. */
export function ChoiceField({ options, placeholder, isClearable = true, ...place }: Place & ChoiceProps) {
  const value = textAt(readAt(place.root, place.path));
  const data = options.includes(value) || value === '' ? options : [...options, value];
  return (
    <Select
      {...shown(place)}
      data={[...data]}
      value={value === '' ? null : value}
      onChange={(chosen) => put(place, chosen ?? undefined)}
      clearable={isClearable}
      allowDeselect={false}
      searchable={data.length > 12}
      {...(placeholder === undefined ? {} : { placeholder })}
    />
  );
}
interface ChoiceProps {
  options: readonly string[];
  /** The value in force while nothing is chosen. */
  placeholder?: string;
  isClearable?: boolean;
}

/** Limits the suggestions: long lists of categories would not fit on any screen. */
const SHOWN_SUGGESTIONS = 60;

/** A list of texts, with suggestions. Empty = absent. */
export function ListField({ suggestions = [], onSearch, placeholder, ...place }: Place & ListProps) {
  const values = textsAt(readAt(place.root, place.path));
  // A tag that came with a subscription may have a comma of its own.
  const whole = new Set([...values, ...suggestions]);
  const write = (list: string[]): void => {
    const entries = list.flatMap((text) => (whole.has(text) ? [text] : splitEntry(text)));
    put(place, entries.length === 0 ? undefined : entries);
  };
  return (
    <TagsInput
      {...shown(place)}
      data={[...new Set(suggestions)]}
      limit={SHOWN_SUGGESTIONS}
      value={values}
      onChange={write}
      acceptValueOnBlur
      splitChars={[' ', '\n']}
      {...(onSearch === undefined ? {} : { onSearchChange: onSearch })}
      maxDropdownHeight={240}
      {...(placeholder === undefined || values.length > 0 ? {} : { placeholder })}
    />
  );
}
/** Splits pasted commas into several texts; not in patterns, which may contain commas. */
function splitEntry(text: string): string[] {
  return text.startsWith('regexp:') ? [text] : text.split(',').filter((part) => part !== '');
}

interface ListProps {
  suggestions?: readonly string[];
  onSearch?: (text: string) => void;
  placeholder?: string;
}
