import { Accordion, Select, Stack, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Controller, useWatch, type FieldErrors, type UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { ClientInput, FLOWS } from '#contract/clients';
import type { InboundOption } from '#contract/inbounds';
import { BotLink } from './bot-link.tsx';
import type { ClientForm } from './client-form.ts';
import { CountField } from '../../../forms/controlled-fields.tsx';
import { registered } from '../../../forms/registered.ts';

const CIPHERS = ClientInput.shape.security.unwrap().options;
const CREDENTIALS = ['subId', 'id', 'password', 'auth'] as const;
const INSIDE = [...CREDENTIALS, 'flow', 'security', 'reverseTag', 'tgId'] as const;

interface CredentialFieldsProps {
  form: Pick<UseFormReturn<ClientForm>, 'control' | 'register' | 'formState' | 'setFocus'>;
  errors: FieldErrors<ClientForm>;
  options: readonly InboundOption[];
  /** Name under which the client is stored; null for one that is not yet. */
  email: string | null;
}

/** What few clients need changed: credentials, what single protocols take, the messenger. Opens by itself for an error. */
export function CredentialFields({ form, errors, options, email }: CredentialFieldsProps) {
  const { t } = useTranslation('clients');
  const { control, setFocus } = form;
  const [isOpen, setOpen] = useState(false);
  const chosen = useWatch({ control, name: 'inboundIds' });
  const inbounds = options.filter(({ id }) => chosen.includes(String(id)));
  const takesFlow = inbounds.some(({ tlsFlowCapable }) => tlsFlowCapable);
  const takesCipher = inbounds.some(({ protocol }) => protocol === 'vmess');
  const firstError = INSIDE.find((name) => errors[name] !== undefined);
  const hasError = firstError !== undefined;
  const isOnlyHere = Object.keys(errors).every((name) => (INSIDE as readonly string[]).includes(name));
  // The form has tried that before this part was open.
  useEffect(() => {
    if (firstError !== undefined && isOnlyHere) setFocus(firstError);
  }, [firstError, isOnlyHere, setFocus]);
  const choice = (name: 'flow' | 'security', values: readonly string[], isTaken: boolean) => (
    <Controller
      name={name}
      control={control}
      render={({ field: { value, onChange, onBlur } }) => (
        <Select
          label={t(`form.${name}`)}
          description={isTaken ? undefined : t(`form.${name}Unused`)}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={[...new Set([...values, value])].map((each) => ({ value: each, label: each || t('form.noChoice') }))}
          value={value}
          onChange={(next) => next !== null && onChange(next)}
          onBlur={onBlur}
          allowDeselect={false}
          disabled={!isTaken}
          error={errors[name]?.message}
        />
      )}
    />
  );
  return (
    <Accordion
      variant="separated"
      transitionDuration={0}
      value={isOpen || hasError ? 'more' : null}
      onChange={(opened) => setOpen(opened !== null)}
    >
      <Accordion.Item value="more">
        <Accordion.Control>{t('form.more')}</Accordion.Control>
        <Accordion.Panel>
          <Stack>
            {CREDENTIALS.map((name) => (
              <TextInput
                key={name}
                label={t(`form.${name}`)}
                placeholder={t(email === null ? 'form.madeForIt' : 'form.staysAsIs')}
                dir="ltr"
                autoComplete="off"
                {...registered(form, name)}
              />
            ))}
            {choice('flow', FLOWS, takesFlow)}
            {choice('security', CIPHERS, takesCipher)}
            <TextInput label={t('form.reverseTag')} dir="ltr" {...registered(form, 'reverseTag')} />
            <CountField control={control} name="tgId" label={t('form.tgId')} hideControls />
            {email !== null && <BotLink email={email} />}
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}
