import { Button, Group, PasswordInput, SimpleGrid, TextInput } from '@mantine/core';
import { Controller } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod';
import { updateUser, UpdateUserBody, WEAK_PASSWORD } from '#contract/session';
import { keys } from '../../../api/keys.ts';
import { useChange } from '../../../api/use-change.ts';
import { FormFields } from '../../../forms/form-fields.tsx';
import { useWireForm } from '../../../forms/use-wire-form.ts';
import { registered } from '../../../forms/registered.ts';
import { TwoFactorCodeField } from '../../../forms/two-factor-code-field.tsx';
import { announceDone } from '../../../ui/notices/announce.ts';
import { TitledCard } from '../../../ui/layout/titled-card.tsx';
import { Failure } from '../../../ui/notices/failure.tsx';
import { Hint } from '../../../ui/layout/hint.tsx';

const { oldUsername, oldPassword, newPassword } = UpdateUserBody.shape;
const AccountFields = z.object({
  oldUsername,
  oldPassword,
  newUsername: z.string().max(64),
  newPassword,
  repeat: z.string(),
  twoFactorCode: z.string().max(64),
});
const EMPTY = { oldUsername: '', oldPassword: '', newUsername: '', newPassword: '', repeat: '', twoFactorCode: '' };

/** Changes the signed-in admin's user name and password. */
export function AccountForm({ isTwoFactorOn }: { isTwoFactorOn: boolean }) {
  const { t } = useTranslation(['settings', 'words']);
  const change = useChange(updateUser, [keys.settings]);
  const form = useWireForm(AccountFields, EMPTY);
  const { errors, isSubmitting } = form.formState;
  // The warning stays until the password changes; sending it again accepts it.
  const isWarned = WEAK_PASSWORD.some((code) => code === errors.newPassword?.type);
  const handleSave = form.handleSubmit(async ({ repeat, ...body }) => {
    if (repeat !== body.newPassword) return form.setError('repeat', { message: t('account.differs') });
    if (!(await form.attempt(() => change.mutateAsync({ body: { ...body, acceptWeakPassword: isWarned } })))) return;
    form.reset(EMPTY);
    announceDone(t('account.done'));
  });
  return (
    <TitledCard title={t('account.title')}>
      <form onSubmit={(event) => void handleSave(event)}>
        <Failure error={errors.root} mb="sm" />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <FormFields isSaving={form.isSaving}>
            <TextInput
              label={t('account.oldUsername')}
              autoComplete="username"
              dir="ltr"
              required
              {...registered(form, 'oldUsername')}
            />
            <PasswordInput
              label={t('account.oldPassword')}
              autoComplete="current-password"
              required
              {...registered(form, 'oldPassword')}
            />
            <TextInput
              label={t('words:newUsername')}
              autoComplete="off"
              dir="ltr"
              required
              {...registered(form, 'newUsername')}
            />
            <PasswordInput
              label={t('words:newPassword')}
              autoComplete="new-password"
              required
              {...registered(form, 'newPassword')}
            />
            {isTwoFactorOn && (
              <Controller
                name="twoFactorCode"
                control={form.control}
                render={({ field, fieldState }) => (
                  <TwoFactorCodeField
                    label={t('words:twoFactorCode')}
                    required
                    error={fieldState.error?.message}
                    {...field}
                  />
                )}
              />
            )}
            <PasswordInput
              label={t('words:repeatPassword')}
              autoComplete="new-password"
              required
              {...registered(form, 'repeat')}
            />
          </FormFields>
        </SimpleGrid>
        <Group justify="space-between" mt="md">
          <Hint>{t('account.note')}</Hint>
          <Button type="submit" loading={isSubmitting}>
            {t(isWarned ? 'words:useAllTheSame' : 'account.save')}
          </Button>
        </Group>
      </form>
    </TitledCard>
  );
}
