import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Plan, PlanPart } from '#contract/plans';
import { useKeptRow } from '../../forms/conflict/use-kept-row.ts';
import { CsvButton } from '../../ui/csv/csv-button.tsx';
import { plansCsv } from './plans-csv.ts';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { QueryView } from '../../ui/query-view/query-view.tsx';
import { useDialogParam } from '../../ui/address/use-dialog-param.ts';
import { GroupSections } from '../groups/group-sections.tsx';
import { ApplyPlanDialog } from './apply-plan-dialog.tsx';
import { PlanDialog } from './plan-dialog.tsx';
import { changedParts, daysMoved } from './plan-form.ts';
import { PlanTable } from './plan-table.tsx';
import { usePlans } from './use-plans.ts';

/** Named sets of what clients get. */
export function PlansPage() {
  const { t } = useTranslation('plans');
  const plans = usePlans();
  const dialog = useDialogParam('plan');
  const brought = useDialogParam('bring');
  /** The changed parts of a plan that was saved here, offered to its clients. */
  const [offer, setOffer] = useState<{ id: number; parts: PlanPart[]; addDays: number } | null>(null);
  const named = (id: string | null): Plan | undefined => plans.data?.find((plan) => String(plan.id) === id);
  const edited = useKeptRow(dialog.value, named(dialog.value));
  const applied = named(offer === null ? brought.value : String(offer.id));
  const handleSaved = (saved: Plan): void => {
    const parts = edited === undefined ? [] : changedParts(edited, saved);
    if (edited !== undefined && parts.length > 0 && saved.clientCount > 0)
      setOffer({ id: saved.id, parts, addDays: daysMoved(edited, saved) });
    dialog.close();
  };
  const add = <Button onClick={() => dialog.open('new')}>{t('add')}</Button>;
  return (
    <Page
      title={t('title')}
      actions={
        (plans.data ?? []).length === 0 ? undefined : (
          <>
            <CsvButton name="plans" table={() => plansCsv(plans.data ?? [])} />
            {add}
          </>
        )
      }
    >
      <GroupSections current="plans" />
      <QueryView query={plans} empty={<EmptyState text={t('none')} action={add} />}>
        {(rows) => (
          <PlanTable rows={rows} onEdit={(id) => dialog.open(String(id))} onBring={(id) => brought.open(String(id))} />
        )}
      </QueryView>
      {(dialog.value === 'new' || edited !== undefined) && (
        <PlanDialog key={dialog.value} plan={edited ?? null} onSaved={handleSaved} onClose={dialog.close} />
      )}
      {applied !== undefined && dialog.value === null && (
        <ApplyPlanDialog
          key={applied.id}
          plan={applied}
          parts={offer?.parts}
          addDays={offer?.addDays}
          isOffer={offer !== null}
          onClose={offer === null ? brought.close : () => setOffer(null)}
        />
      )}
    </Page>
  );
}
