import { FileInput, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Schema } from './api-document.ts';

/** What is entered into a form with a file, by field. */
export type FormValues = Readonly<Record<string, string | File | null>>;

const isFile = ({ format }: Schema): boolean => format === 'binary';

/** A form as it is before anything is entered. */
export function emptyForm({ properties = {} }: Schema): FormValues {
  const fields = Object.entries(properties);
  return Object.fromEntries(
    fields.map(([name, field]) => [name, isFile(field) ? null : ((field.default as string | undefined) ?? '')]),
  );
}

export function formDataOf(values: FormValues): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) if (value !== null) form.append(name, value);
  return form;
}

interface UploadFieldsProps {
  schema: Schema;
  values: FormValues;
  onChange: (values: FormValues) => void;
}

/** Fields of a call that takes a file. */
export function UploadFields({ schema: { properties = {}, required = [] }, values, onChange }: UploadFieldsProps) {
  const { t } = useTranslation(['settings', 'shell']);
  return Object.entries(properties).map(([name, field]) => {
    const value = values[name] ?? null;
    const shared = { label: name, dir: 'ltr', required: required.includes(name) } as const;
    return isFile(field) ? (
      <FileInput
        key={name}
        {...shared}
        placeholder={t('import.choose')}
        clearable
        clearButtonProps={{ 'aria-label': t('shell:close') }}
        value={value instanceof File ? value : null}
        onChange={(file) => onChange({ ...values, [name]: file })}
      />
    ) : (
      <TextInput
        key={name}
        {...shared}
        value={typeof value === 'string' ? value : ''}
        onChange={(event) => onChange({ ...values, [name]: event.currentTarget.value })}
      />
    );
  });
}
