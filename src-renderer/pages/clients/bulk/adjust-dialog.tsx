import { Input, SegmentedControl, Select } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bulkAdjustClients } from '#contract/clients/bulk';
import { FLOWS, MAX_DAYS } from '#contract/clients';
import { keys } from '../../../api/keys.ts';
import { useChange } from '../../../api/use-change.ts';
import { DayField } from '../../../forms/dates/day-field.tsx';
import { dayAfter, endOfTerm } from '../../../forms/dates/term.ts';
import { SizeField, type Size } from '../../../forms/size-field.tsx';
import { serverNow } from '../../../stores/server-clock.ts';
import { Hint } from '../../../ui/layout/hint.tsx';
import { DialogFrame } from '../dialog-frame.tsx';
import { useBulkResult } from './bulk-result-store.ts';
import { NumberField } from '../../../forms/number-field.tsx';

/** As `bulkAdjust` takes it: empty leaves it alone, `none` takes it away. */
const FLOW_CHOICES = ['', 'none', ...FLOWS.filter((flow) => flow !== '')];

/** What the calendar begins with. */
const START_DAYS = 30;

/** Moves or sets the expiry, moves the quota and sets the flow of the named clients. */
export function AdjustDialog({ emails, onClose }: { emails: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation(['clients', 'dates']);
  const adjust = useChange(bulkAdjustClients, [keys.clients]);
  const show = useBulkResult((state) => state.show);
  const [days, setDays] = useState(0);
  // Null = by days.
  const [day, setDay] = useState<string | null>(null);
  const [traffic, setTraffic] = useState<Size>(0);
  const [flow, setFlow] = useState('');
  const addDays = day === null ? days : 0;
  const expiryTime = day === null || day === '' ? 0 : endOfTerm(day, 0);
  const isNothing = addDays === 0 && expiryTime === 0 && traffic === 0 && flow === '';
  const handleSubmit = (): void =>
    adjust.mutate(
      { body: { emails: [...emails], addDays, expiryTime, addBytes: Number(traffic), flow } },
      {
        onSuccess: ({ adjusted, skipped }) => {
          show({ done: adjusted, skipped });
          onClose();
        },
      },
    );
  return (
    <DialogFrame
      title={t('adjust.title', { count: emails.length })}
      action={t('adjust.action')}
      error={adjust.error}
      isBusy={adjust.isPending}
      job="bulkAdjustClients"
      isReady={!isNothing && typeof traffic === 'number'}
      isDirty={!isNothing}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <Input.Wrapper label={t('dates:adjust.by')} labelElement="div">
        <SegmentedControl
          fullWidth
          aria-label={t('dates:adjust.by')}
          data={[
            { value: 'days', label: t('dates:adjust.byDays') },
            { value: 'day', label: t('dates:adjust.toDay') },
          ]}
          value={day === null ? 'days' : 'day'}
          onChange={(by) => setDay(by === 'days' ? null : dayAfter(START_DAYS, serverNow()))}
        />
      </Input.Wrapper>
      {day === null ? (
        <NumberField
          label={t('adjust.days')}
          min={-MAX_DAYS}
          max={MAX_DAYS}
          value={days}
          empty={0}
          onChange={setDays}
          data-autofocus
        />
      ) : (
        <DayField label={t('dates:adjust.day')} description={t('dates:adjust.hint')} value={day} onChange={setDay} />
      )}
      <SizeField
        label={t('adjust.traffic')}
        value={traffic}
        onChange={setTraffic}
        min={Number.MIN_SAFE_INTEGER}
        empty={0}
      />
      <Select
        label={t('adjust.flow')}
        data={FLOW_CHOICES.map((value) => ({
          value,
          label: value === '' ? t('adjust.flowKeep') : value === 'none' ? t('adjust.flowNone') : value,
        }))}
        value={flow}
        onChange={(value) => setFlow(value ?? '')}
        allowDeselect={false}
      />
      <Hint>{t('adjust.hint')}</Hint>
    </DialogFrame>
  );
}
