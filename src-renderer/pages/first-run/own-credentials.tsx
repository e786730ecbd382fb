import { Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import * as z from 'zod';
import { updateUser, WEAK_PASSWORD, type FirstCredentials } from '#contract/session';
import { useChange } from '../../api/use-change.ts';
import { FormFields } from '../../forms/form-fields.tsx';
import { useWireForm } from '../../forms/use-wire-form.ts';
import { registered } from '../../forms/registered.ts';
import { Failure } from '../../ui/notices/failure.tsx';

const OwnFields = z.object({
  newUsername: z.string().max(64),
  newPassword: z.string().max(1024),
  repeat: z.string(),
});

interface OwnCredentialsProps {
  made: FirstCredentials;
  stale: readonly string[];
  onDone: () => void;
  onKeep: () => void;
}

/** Replaces the generated credentials; after the one-time link they need not be typed. */
export function OwnCredentials({ made, stale, onDone, onKeep }: OwnCredentialsProps) {
  const { t } = useTranslation(['firstRun', 'words']);
  const change = useChange(updateUser, [stale]);
  const form = useWireForm(OwnFields, { newUsername: '', newPassword: '', repeat: '' });
  const { errors, isSubmitting } = form.formState;
  // The warning stays until the password changes; sending it again accepts it.
  const isWarned = WEAK_PASSWORD.some((code) => code === errors.newPassword?.type);
  const handleSave = form.handleSubmit(async ({ newUsername, newPassword, repeat }) => {
    if (repeat !== newPassword) return form.setError('repeat', { message: t('account.differs') });
    const body = { oldUsername: made.username, oldPassword: made.password, newUsername, newPassword };
    if (await form.attempt(() => change.mutateAsync({ body: { ...body, acceptWeakPassword: isWarned } }))) onDone();
  });
  return (
    <form onSubmit={(event) => void handleSave(event)}>
      <Stack>
        <Failure error={errors.root} />
        <FormFields isSaving={form.isSaving}>
          <TextInput
            label={t('words:newUsername')}
            autoComplete="username"
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
          <PasswordInput
            label={t('words:repeatPassword')}
            autoComplete="new-password"
            required
            {...registered(form, 'repeat')}
          />
        </FormFields>
        <Group justify="flex-end">
          <Button variant="default" onClick={onKeep}>
            {t('account.keep')}
          </Button>
          <Button type="submit" loading={isSubmitting}>
            {t(isWarned ? 'words:useAllTheSame' : 'account.use')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
