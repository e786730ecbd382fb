import { Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bulkCreateClients } from '#contract/clients/bulk';
import type { Plan } from '#contract/plans';
import { TermField } from '../../../forms/dates/term-field.tsx';
import { SizeField, type Size } from '../../../forms/size-field.tsx';
import { keys } from '../../../api/keys.ts';
import { useChange } from '../../../api/use-change.ts';
import { serverNow } from '../../../stores/server-clock.ts';
import { useBulkResult } from './bulk-result-store.ts';
import { DialogFrame } from '../dialog-frame.tsx';
import { InboundPicker } from '../inbound-picker.tsx';
import { manyClients, manyFromPlan, type ManyClients } from './many-clients.ts';
import { PlanSelect } from './plan-select.tsx';
import { Hint } from '../../../ui/layout/hint.tsx';
import { NumberField } from '../../../forms/number-field.tsx';

const MAX_CLIENTS = 10_000;
/** Larger numbers would not all be different. */
const LAST_FIRST = Number.MAX_SAFE_INTEGER - MAX_CLIENTS;
const START: ManyClients = {
  prefix: '',
  first: 1,
  count: 10,
  quotaBytes: 0,
  term: null,
  group: '',
  plan: null,
  inboundIds: [],
};

/** Numbered clients with the same limits, made in one call. */
export function AddManyDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['clientTools', 'shell', 'dates', 'words']);
  const create = useChange(bulkCreateClients, [keys.clients, keys.groups, keys.plans, keys.inbounds]);
  const show = useBulkResult((state) => state.show);
  const [form, setForm] = useState(START);
  const [quota, setQuota] = useState<Size>(0);
  const quotaBytes = typeof quota === 'number' ? quota : null;
  const set = (part: Partial<ManyClients>): void => setForm((before) => ({ ...before, ...part }));
  const handlePlan = (plan: Plan | null): void => {
    if (plan !== null) setQuota(plan.quotaBytes);
    set(manyFromPlan(plan));
  };
  const isFitting = form.count > 0 && form.count <= MAX_CLIENTS;
  const names = isFitting ? manyClients(form, 0).map(({ client }) => client.email) : [];
  const handleSubmit = (): void =>
    create.mutate(
      { body: manyClients({ ...form, quotaBytes: quotaBytes ?? 0 }, serverNow()) },
      {
        onSuccess: ({ created, skipped }) => {
          show({ done: created, skipped });
          onClose();
        },
      },
    );
  return (
    <DialogFrame
      title={t('many.title')}
      action={t('many.action', { count: form.count })}
      error={create.error}
      isBusy={create.isPending}
      job="bulkCreateClients"
      isReady={form.prefix.trim() !== '' && isFitting && form.inboundIds.length > 0 && quotaBytes !== null}
      isDirty={form !== START || quota !== START.quotaBytes}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <TextInput
        label={t('many.prefix')}
        value={form.prefix}
        onChange={(event) => set({ prefix: event.currentTarget.value })}
        maxLength={200}
        dir="auto"
        data-autofocus
      />
      <Group grow>
        <NumberField
          label={t('many.count')}
          min={1}
          max={MAX_CLIENTS}
          value={form.count}
          empty={0}
          onChange={(count) => set({ count })}
        />
        <NumberField
          label={t('many.first')}
          min={0}
          max={LAST_FIRST}
          value={form.first}
          empty={0}
          onChange={(first) => set({ first })}
        />
      </Group>
      {form.prefix.trim() !== '' && names.length > 0 && (
        <Hint>
          <bdi>{names[0]}</bdi> … <bdi>{names.at(-1)}</bdi>
        </Hint>
      )}
      <PlanSelect value={form.plan} onChange={handlePlan} />
      <InboundPicker
        label={t('shell:nav.inbounds')}
        value={form.inboundIds}
        onChange={(inboundIds) => set({ inboundIds })}
      />
      <Group grow align="flex-start">
        <SizeField label={t('many.quota')} value={quota} onChange={setQuota} empty={0} />
        <TermField
          daysLabel={t('many.days')}
          dayLabel={t('dates:lastDayEach')}
          min={0}
          value={form.term}
          onChange={(term) => set({ term })}
          isFromFirstUse={form.plan?.startsAtFirstUse === true}
        />
      </Group>
      <TextInput
        label={t('words:group')}
        value={form.group}
        onChange={(event) => set({ group: event.currentTarget.value })}
        maxLength={64}
      />
    </DialogFrame>
  );
}
