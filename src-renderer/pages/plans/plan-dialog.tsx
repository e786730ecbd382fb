import { Group, Modal, MultiSelect, Stack, TextInput } from '@mantine/core';
import { Controller, FormProvider } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { FLOWS } from '#contract/clients';
import { addPlan, updatePlan, type Plan } from '#contract/plans';
import { keys } from '../../api/keys.ts';
import { useChange } from '../../api/use-change.ts';
import { failureOf } from '../../api/use-read.ts';
import { FormFields } from '../../forms/form-fields.tsx';
import { CountField, QuotaField, SelectField, SwitchField } from '../../forms/controlled-fields.tsx';
import { useFormConflict } from '../../forms/conflict/use-form-conflict.ts';
import { useLeaveGuard } from '../../forms/use-leave-guard.ts';
import { useWireForm } from '../../forms/use-wire-form.ts';
import { registered } from '../../forms/registered.ts';
import { SaveFooter } from '../../ui/layout/save-footer.tsx';
import { Named } from '../../ui/named.tsx';
import { announceDone } from '../../ui/notices/announce.ts';
import { Failure } from '../../ui/notices/failure.tsx';
import { RenewalFields } from '../clients/editor/renewal-fields.tsx';
import { inboundLabel, takingClients, useInboundOptions } from '../clients/use-inbound-options.ts';
import { PlanConflict } from './plan-conflict.tsx';
import { formPlace, NEW_PLAN, PlanForm, toForm, toWire } from './plan-form.ts';
import { usePlans } from './use-plans.ts';

interface PlanDialogProps {
  /** Null for a new one. */
  plan: Plan | null;
  onSaved: (plan: Plan) => void;
  onClose: () => void;
}

/** Adds a plan or edits one. */
export function PlanDialog({ plan, onSaved, onClose }: PlanDialogProps) {
  const { t } = useTranslation(['plans', 'words']);
  const add = useChange(addPlan, [keys.plans]);
  const update = useChange(updatePlan, [keys.plans]);
  const inbounds = useInboundOptions();
  const form = useWireForm(PlanForm, plan === null ? NEW_PLAN : toForm(plan), formPlace);
  const { control } = form;
  const { errors, isDirty, isSubmitting } = form.formState;
  const plans = usePlans();
  const conflict = useFormConflict({
    stored: plan,
    readAgain: async () => (await plans.refetch()).data?.find(({ id }) => id === plan?.id),
    form,
    toForm,
  });
  const handleClose = useLeaveGuard(isDirty, onClose);
  const handleSave = form.handleSubmit(async (values) => {
    if (!(await conflict.isCurrent())) return;
    const body = toWire(values);
    let saved: Plan | undefined;
    const isSaved = await form.attempt(async () => {
      saved =
        plan === null
          ? await add.mutateAsync({ body })
          : await update.mutateAsync({ params: { id: String(plan.id) }, body });
    });
    if (!isSaved || saved === undefined) return;
    announceDone(t('saved', { name: saved.name }));
    onSaved(saved);
  });
  return (
    <Modal
      opened
      onClose={handleClose}
      size="lg"
      title={plan === null ? t('add') : <Named sentence={(name) => t('words:editNamed', { name })} name={plan.name} />}
    >
      <form onSubmit={(event) => void handleSave(event)}>
        <Stack>
          <PlanConflict conflict={conflict} />
          <Failure error={errors.root} />
          <FormFields isSaving={form.isSaving}>
            <TextInput label={t('name')} dir="auto" {...registered(form, 'name')} data-autofocus />
            <Group grow align="flex-start">
              <QuotaField control={control} name="quotaBytes" label={t('quota')} />
              <CountField control={control} name="days" label={t('days')} />
            </Group>
            <SwitchField control={control} name="startsAtFirstUse" label={t('startsAtFirstUse')} />
            <FormProvider {...form}>
              <RenewalFields error={errors.renewalDays?.message} />
            </FormProvider>
            <Group grow align="flex-start">
              <CountField control={control} name="limitIp" label={t('limitIp')} />
              <TextInput label={t('group')} dir="auto" {...registered(form, 'group')} />
            </Group>
            <Controller
              name="inboundIds"
              control={control}
              render={({ field: { value, onChange } }) => (
                <MultiSelect
                  label={t('inbounds')}
                  data={takingClients(inbounds.data ?? []).map((option) => ({
                    value: String(option.id),
                    label: inboundLabel(option),
                  }))}
                  value={value}
                  onChange={onChange}
                  searchable
                  disabled={inbounds.data === undefined}
                  error={errors.inboundIds?.message ?? failureOf(inbounds)}
                />
              )}
            />
            <SelectField
              control={control}
              name="flow"
              label={t('flow')}
              data={FLOWS.map((each) => ({ value: each, label: each === '' ? t('flowAlone') : each }))}
            />
          </FormFields>
          <SaveFooter isSaving={isSubmitting} onCancel={handleClose} />
        </Stack>
      </form>
    </Modal>
  );
}
