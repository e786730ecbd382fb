import { Modal, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLeaveGuard } from '../../../forms/use-leave-guard.ts';
import { QueryView } from '../../../ui/query-view/query-view.tsx';
import { ApplyPlanForm } from '../../plans/apply-plan-form.tsx';
import { useApplyPlan } from '../../plans/use-apply-plan.ts';
import { usePlans } from '../../plans/use-plans.ts';

/** Gives the named clients a plan: which one, what of it, and what that changes. */
export function GivePlanDialog({ emails, onClose }: { emails: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation('plans');
  const plans = usePlans();
  const apply = useApplyPlan();
  const [chosen, setChosen] = useState<string | null>(null);
  const plan = plans.data?.find(({ id }) => String(id) === chosen);
  const handleClose = useLeaveGuard(chosen !== null, onClose);
  return (
    <Modal
      opened
      onClose={apply.isHeld ? () => undefined : handleClose}
      size="lg"
      title={t('apply.titleGive', { count: emails.length })}
    >
      <Stack>
        <QueryView query={plans} empty={<p>{t('none')}</p>}>
          {(rows) => (
            <Select
              label={t('choose')}
              data={rows.map(({ id, name }) => ({ value: String(id), label: name }))}
              value={chosen}
              onChange={setChosen}
              disabled={apply.isHeld}
              searchable
              data-autofocus
            />
          )}
        </QueryView>
        {plan !== undefined && (
          <ApplyPlanForm
            key={plan.id}
            plan={plan}
            apply={apply}
            emails={emails}
            onCancel={handleClose}
            onDone={onClose}
          />
        )}
      </Stack>
    </Modal>
  );
}
