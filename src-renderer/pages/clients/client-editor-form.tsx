import {
  Alert,
  Button,
  Group,
  Modal,
  MultiSelect,
  NumberInput,
  Stack,
  Switch,
  Textarea,
  TextInput,
} from '@mantine/core';
import { Controller } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type * as z from 'zod';
import { addClient, attachClient, detachClient, updateClient, type getClient } from '#contract/clients';
import type { InboundOption } from '#contract/inbounds';
import { keys } from '../../api/keys.ts';
import { useCall } from '../../api/transport-context.tsx';
import { useChange } from '../../api/use-change.ts';
import { useLeaveGuard } from '../../forms/use-leave-guard.ts';
import { useWireForm } from '../../forms/use-wire-form.ts';
import { announceDone } from '../../ui/announce.ts';
import { ConflictNotice } from '../../ui/conflict-notice.tsx';
import { DialogFooter } from '../../ui/dialog-footer.tsx';
import { Named } from '../../ui/named.tsx';
import { ClientForm, NEW_CLIENT, toForm, toWire } from './client-form.ts';
import { CredentialFields } from './credential-fields.tsx';
import { mergedForm } from './edit-conflict.ts';
import { RenewalFields } from './renewal-fields.tsx';
import { useEditConflict } from './use-edit-conflict.ts';
import { inboundLabel } from './use-inbound-options.ts';

interface ClientEditorFormProps {
  /** Null for a new client. */
  stored: z.output<(typeof getClient)['result']> | null;
  options: readonly InboundOption[];
  onClose: () => void;
}

export function ClientEditorForm({ stored, options, onClose }: ClientEditorFormProps) {
  const { t } = useTranslation(['clients', 'shell']);
  const call = useCall();
  const roots = [keys.clients, keys.groups, keys.inbounds];
  const add = useChange(addClient, roots);
  const update = useChange(updateClient, roots);
  const form = useWireForm(
    ClientForm,
    stored === null
      ? { ...NEW_CLIENT, inboundIds: options.length === 1 ? [String(options[0]!.id)] : [] }
      : toForm(stored.client, stored.inboundIds, Date.now()),
  );
  const { errors, isDirty, isSubmitting } = form.formState;
  const handleClose = useLeaveGuard(isDirty, onClose);
  const conflict = useEditConflict(stored);

  async function save(values: ClientForm): Promise<void> {
    const inboundIds = values.inboundIds.map(Number);
    const { base } = conflict;
    const client = toWire(values, base?.client ?? null, Date.now());
    if (base === null) {
      await add.mutateAsync({ body: { client, inboundIds } });
      return;
    }
    const params = { email: base.client.email };
    const added = inboundIds.filter((id) => !base.inboundIds.includes(id));
    const removed = base.inboundIds.filter((id) => !inboundIds.includes(id));
    if (added.length > 0) await call(attachClient, { params, body: { inboundIds: added } });
    if (removed.length > 0) await call(detachClient, { params, query: {}, body: { inboundIds: removed } });
    await update.mutateAsync({ params, query: {}, body: client });
  }
  const handleSave = form.handleSubmit(async (values) => {
    if (!(await conflict.isCurrent())) return;
    if (!(await form.attempt(() => save(values)))) return;
    announceDone(t('form.saved', { email: values.email }));
    onClose();
  });
  function takeOver(values: ClientForm): void {
    form.reset(conflict.theirForm!);
    for (const [name, value] of Object.entries(values))
      form.setValue(name as keyof ClientForm, value, { shouldDirty: true });
    conflict.accept();
  }
  const number = (name: 'quotaGib' | 'limitIp') => (
    <Controller
      name={name}
      control={form.control}
      render={({ field: { value, onChange, onBlur } }) => (
        <NumberInput
          label={t(name === 'quotaGib' ? 'form.quota' : 'form.limitIp')}
          min={0}
          allowDecimal={name === 'quotaGib'}
          value={value}
          onChange={(next) => onChange(Number(next))}
          onBlur={onBlur}
          error={errors[name]?.message}
        />
      )}
    />
  );
  return (
    <Modal
      opened
      onClose={handleClose}
      size="lg"
      title={
        stored === null ? (
          t('form.titleNew')
        ) : (
          <Named sentence={(email) => t('form.titleEdit', { email })} name={stored.client.email} />
        )
      }
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      <form onSubmit={(event) => void handleSave(event)}>
        <Stack>
          {conflict.fields.length > 0 && conflict.theirForm !== null && conflict.baseForm !== null && (
            <ConflictNotice
              title={t('conflict.title')}
              fields={conflict.fields.map((name) => ({
                name,
                label: t(`conflict.field.${name}`),
                now: String(conflict.theirForm![name] ?? ''),
              }))}
              onTakeTheirs={() => takeOver(conflict.theirForm!)}
              onKeepMine={() => takeOver(mergedForm(conflict.baseForm!, form.getValues(), conflict.theirForm!))}
            />
          )}
          {errors.root !== undefined && <Alert color="red">{errors.root.message}</Alert>}
          <TextInput
            label={t('form.email')}
            dir="auto"
            {...form.register('email')}
            error={errors.email?.message}
            data-autofocus
          />
          <Controller
            name="inboundIds"
            control={form.control}
            render={({ field: { value, onChange } }) => (
              <MultiSelect
                label={t('form.inbounds')}
                data={options.map((option) => ({ value: String(option.id), label: inboundLabel(option) }))}
                value={value}
                onChange={onChange}
                searchable
                error={errors.inboundIds?.message}
              />
            )}
          />
          <Group grow align="flex-start">
            {number('quotaGib')}
            <Controller
              name="days"
              control={form.control}
              render={({ field: { value, onChange, onBlur } }) => (
                <NumberInput
                  label={t('form.expiry')}
                  allowDecimal={false}
                  value={value ?? ''}
                  onChange={(next) => onChange(next === '' ? null : Number(next))}
                  onBlur={onBlur}
                  error={errors.days?.message}
                />
              )}
            />
          </Group>
          <Group grow align="flex-start">
            {number('limitIp')}
            <TextInput label={t('form.group')} {...form.register('group')} error={errors.group?.message} />
          </Group>
          <RenewalFields form={form} error={errors.renewalDays?.message} />
          <Textarea label={t('form.comment')} {...form.register('comment')} error={errors.comment?.message} />
          <Controller
            name="enable"
            control={form.control}
            render={({ field: { value, onChange } }) => (
              <Switch
                label={t('form.enable')}
                checked={value}
                onChange={({ currentTarget }) => onChange(currentTarget.checked)}
              />
            )}
          />
          <CredentialFields form={form} errors={errors} options={options} isNew={stored === null} />
          <DialogFooter>
            <Button variant="default" onClick={handleClose}>
              {t('shell:cancel')}
            </Button>
            <Button type="submit" loading={isSubmitting}>
              {t('shell:save')}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Modal>
  );
}
