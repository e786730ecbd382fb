import { Accordion, SimpleGrid, TagsInput, TextInput } from '@mantine/core';
import { Controller, type UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { hostTags } from '#contract/hosts';
import { keys } from '../../../api/keys.ts';
import { useRead } from '../../../api/use-read.ts';
import type { HostForm } from './host-form.ts';
import { MoreFields } from './more-fields.tsx';
import { SecurityFields } from './security-fields.tsx';
import { SwitchField } from '../../../forms/controlled-fields.tsx';
import { registered } from '../../../forms/registered.ts';

/** What a host changes in the links of its inbound; empty fields inherit. */
export function HostFields({ form, inboundPort }: { form: UseFormReturn<HostForm>; inboundPort: number }) {
  const { t } = useTranslation('hosts');
  const { data: tags = [] } = useRead(hostTags, {}, [...keys.hosts, 'tags']);
  const { formState, control } = form;
  const { errors } = formState;
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Controller
          name="tags"
          control={control}
          render={({ field: { value, onChange } }) => (
            <TagsInput
              label={t('field.tags')}
              dir="ltr"
              data={tags}
              value={value}
              onChange={(next) => onChange(next.map((tag) => tag.toUpperCase()))}
              acceptValueOnBlur
              error={errors.tags === undefined ? undefined : t('problem.tags')}
            />
          )}
        />
        <TextInput
          label={t('field.serverDescription')}
          dir="auto"
          maxLength={64}
          {...registered(form, 'serverDescription')}
        />
        <SwitchField control={control} name="enable" label={t('field.enable')} />
      </SimpleGrid>
      <Accordion variant="contained" multiple defaultValue={['security']}>
        <Accordion.Item value="security">
          <Accordion.Control>{t('section.security')}</Accordion.Control>
          <Accordion.Panel>
            <SecurityFields form={form} inboundPort={inboundPort} />
          </Accordion.Panel>
        </Accordion.Item>
        <Accordion.Item value="more">
          <Accordion.Control>{t('section.more')}</Accordion.Control>
          <Accordion.Panel>
            <MoreFields form={form} />
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </>
  );
}
