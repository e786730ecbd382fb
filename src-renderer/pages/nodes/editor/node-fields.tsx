import { Group, PasswordInput, TextInput } from '@mantine/core';
import { Controller, useWatch, type UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { splitAddress, type NodeForm } from './node-form.ts';
import { SelectField, SwitchField } from '../../../forms/controlled-fields.tsx';
import { NumberField } from '../../../forms/number-field.tsx';
import { registered } from '../../../forms/registered.ts';

interface NodeFieldsProps {
  form: UseFormReturn<NodeForm>;
  /** Whether a token is stored; a blank field keeps it. */
  hasToken: boolean;
}

/** A node's name, address and token. */
export function NodeFields({ form, hasToken }: NodeFieldsProps) {
  const { t } = useTranslation(['nodes', 'words']);
  const { control } = form;
  const { errors } = form.formState;
  const scheme = useWatch({ control, name: 'scheme' });
  const trust = useWatch({ control, name: 'tlsVerifyMode' });

  /** Pasting a whole address fills the fields around it too. */
  const handleAddress = (text: string, change: (text: string) => void): void => {
    const parts = splitAddress(text);
    if (parts === null) return change(text);
    for (const [name, value] of Object.entries(parts))
      form.setValue(name as keyof typeof parts, value, {
        shouldDirty: true,
        shouldValidate: errors.address !== undefined,
      });
  };
  return (
    <>
      <Group grow align="start">
        <TextInput label={t('words:name')} {...registered(form, 'name')} dir="auto" data-autofocus />
        <TextInput label={t('field.remark')} {...registered(form, 'remark')} dir="auto" />
      </Group>
      <Controller
        control={control}
        name="address"
        render={({ field: { onChange, ...field } }) => (
          <TextInput
            label={t('words:address')}
            description={t('hint.address')}
            placeholder="node.example.com"
            dir="ltr"
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => handleAddress(event.currentTarget.value, onChange)}
            error={errors.address?.message}
            {...field}
          />
        )}
      />
      <Group grow align="start">
        <SelectField control={control} name="scheme" label={t('field.scheme')} data={['https', 'http']} />
        <Controller
          control={control}
          name="port"
          render={({ field: { onChange, ...field } }) => (
            <NumberField
              label={t('words:port')}
              min={1}
              max={65_535}
              hideControls
              empty={null}
              onChange={(next) => onChange(next ?? '')}
              error={errors.port?.message}
              {...field}
            />
          )}
        />
        <TextInput label={t('field.basePath')} dir="ltr" {...registered(form, 'basePath')} />
      </Group>
      <PasswordInput
        label={t('words:apiToken')}
        description={
          trust === 'enrolled'
            ? t('hint.tokenEnrolled')
            : hasToken
              ? t('hint.tokenKept')
              : t(trust === 'mtls' && scheme === 'https' ? 'hint.tokenMtls' : 'hint.token')
        }
        autoComplete="off"
        dir="ltr"
        {...registered(form, 'apiToken')}
      />
      <SwitchField
        control={control}
        name="allowPrivateAddress"
        label={t('field.allowPrivateAddress')}
        description={t('hint.allowPrivateAddress')}
      />
      <SwitchField control={control} name="enable" label={t('field.enable')} description={t('hint.enable')} />
    </>
  );
}
