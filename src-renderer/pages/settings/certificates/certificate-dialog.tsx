import { Button, Checkbox, Modal, PasswordInput, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { Failure } from '../../../ui/notices/failure.tsx';
import { Controller } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import {
  CERTIFICATE_SOURCES,
  DIRECTORIES,
  KEY_TYPES,
  obtainCertificate,
  saveCertificate,
  type Certificate,
} from '#contract/certificates';
import { keys } from '../../../api/keys.ts';
import { usePanelUrl } from '../../../api/panel-url.ts';
import { useChange } from '../../../api/use-change.ts';
import { FormFields } from '../../../forms/form-fields.tsx';
import { useLeaveGuard } from '../../../forms/use-leave-guard.ts';
import { useWireForm } from '../../../forms/use-wire-form.ts';
import { DialogFooter } from '../../../ui/layout/dialog-footer.tsx';
import { announceFailure } from '../../../ui/notices/announce.ts';
import { SaveWaits } from '../../../ui/notices/save-waits.tsx';
import { CertificateFields, toForm, toWire } from './certificate-form.ts';
import { ChallengeFields, type CertificateForm } from './challenge-fields.tsx';
import { SelectField, TagsField } from '../../../forms/controlled-fields.tsx';
import { registered } from '../../../forms/registered.ts';

interface CertificateDialogProps {
  /** Null for a new one. */
  certificate: Certificate | null;
  dnsHooks: readonly string[];
  dnsHookFolder: string;
  onClose: () => void;
}

/** Edits a certificate. Saving a new one, or other names, obtains it. */
export function CertificateDialog({ certificate, dnsHooks, dnsHookFolder, onClose }: CertificateDialogProps) {
  const { t } = useTranslation(['certificates', 'words']);
  const save = useChange(saveCertificate, [keys.settings]);
  const obtain = useChange(obtainCertificate, [keys.settings, keys.jobs]);
  const panel = usePanelUrl();
  const form = useWireForm(CertificateFields, toForm(certificate, panel?.hostname ?? ''));
  const { errors, isSubmitting, isDirty, dirtyFields } = form.formState;
  const close = useLeaveGuard(isDirty, onClose);
  const isAcme = form.watch('source') === 'acme';
  const handleSave = form.handleSubmit(async (values) => {
    const isWanted =
      (certificate?.facts ?? null) === null || dirtyFields.names !== undefined || dirtyFields.keyType === true;
    let id = certificate?.id;
    const isSaved = await form.attempt(async () => {
      ({ id } = await save.mutateAsync({ body: toWire(values, id) }));
    });
    if (!isSaved || id === undefined) return;
    onClose();
    // The panel renews a self-signed one by itself.
    if (isWanted && (isAcme || certificate !== null)) obtain.mutate({ params: { id } }, { onError: announceFailure });
  });
  return (
    <Modal opened onClose={close} size="lg" title={t(certificate === null ? 'dialog.add' : 'dialog.edit')}>
      <form onSubmit={(event) => void handleSave(event)}>
        <Stack>
          <Failure error={errors.root} />
          <FormFields isSaving={form.isSaving}>
            {certificate === null && (
              <Controller
                control={form.control}
                name="source"
                render={({ field: { value, onChange } }) => (
                  <SegmentedControl
                    aria-label={t('field.source')}
                    data={CERTIFICATE_SOURCES.map((source) => ({ value: source, label: t(`source.${source}`) }))}
                    value={value}
                    onChange={onChange}
                  />
                )}
              />
            )}
            <TagsField
              control={form.control}
              name="names"
              label={t('field.names')}
              description={t(isAcme ? 'hint.names' : 'hint.ownNames')}
              splitChars={[',', ' ', ';']}
              acceptValueOnBlur
              required
              data-autofocus
              clearButtonProps={{ 'aria-label': t('clearNames') }}
              error={errors.names?.message ?? errors.names?.find?.((issue) => issue !== undefined)?.message}
            />
            <TextInput
              label={t('field.name')}
              description={t('hint.name')}
              maxLength={64}
              {...registered(form, 'name')}
            />
            {isAcme && (
              <>
                <AuthorityFields form={form} hasKey={certificate?.hasEabHmacKey === true} />
                <ChallengeFields form={form} dnsHooks={dnsHooks} dnsHookFolder={dnsHookFolder} />
              </>
            )}
            <SelectField
              control={form.control}
              name="keyType"
              label={t('words:key')}
              data={KEY_TYPES.map((type) => ({ value: type, label: t(`keyType.${type}`) }))}
            />
          </FormFields>
          <SaveWaits />
          <DialogFooter onCancel={close}>
            <Button type="submit" loading={isSubmitting}>
              {t(certificate === null ? (isAcme ? 'dialog.obtain' : 'dialog.make') : 'dialog.save')}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Modal>
  );
}

const WITH_ACCOUNT: ReadonlySet<string> = new Set(['google', 'googleStaging', 'zerossl', 'custom']);

/** The authority that signs, and the account to use there. */
function AuthorityFields({ form, hasKey }: { form: CertificateForm; hasKey: boolean }) {
  const { t } = useTranslation(['certificates', 'words']);
  const directory = form.watch('directory');
  return (
    <>
      <SelectField
        control={form.control}
        name="directory"
        label={t('field.directory')}
        description={t('hint.directory')}
        data={DIRECTORIES.map((name) => ({ value: name, label: t(`directory.${name}`) }))}
      />
      {directory === 'custom' && (
        <>
          <TextInput
            label={t('field.directoryUrl')}
            type="url"
            dir="ltr"
            placeholder="https://"
            required
            {...registered(form, 'directoryUrl')}
          />
          <Checkbox label={t('field.allowPrivate')} {...form.register('allowPrivate')} />
        </>
      )}
      <TextInput
        label={t('field.email')}
        description={t('hint.email')}
        type="email"
        dir="ltr"
        autoComplete="email"
        {...registered(form, 'email')}
      />
      {WITH_ACCOUNT.has(directory) && (
        <>
          <TextInput
            label={t('field.eabKid')}
            description={t('hint.eabKid')}
            dir="ltr"
            autoComplete="off"
            {...registered(form, 'eabKid')}
          />
          <PasswordInput
            label={t('field.eabHmacKey')}
            description={hasKey ? t('words:isSet') : undefined}
            dir="ltr"
            autoComplete="new-password"
            {...registered(form, 'eabHmacKey')}
          />
        </>
      )}
      <Checkbox label={t('field.termsAgreed')} {...registered(form, 'termsAgreed')} />
    </>
  );
}
