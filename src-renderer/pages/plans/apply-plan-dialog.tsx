import { Modal } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Plan, PlanPart } from '#contract/plans';
import { useLeaveGuard } from '../../forms/use-leave-guard.ts';
import { ApplyPlanForm } from './apply-plan-form.tsx';
import { useApplyPlan } from './use-apply-plan.ts';

interface ApplyPlanDialogProps {
  plan: Plan;
  /** Parts selected at first; all of them by default. */
  parts?: readonly PlanPart[] | undefined;
  addDays?: number | undefined;
  /** It opened by itself, because the plan was just saved. */
  isOffer: boolean;
  onClose: () => void;
}

/** Applies a plan to its clients, after a list of the changes. */
export function ApplyPlanDialog({ plan, onClose, ...rest }: ApplyPlanDialogProps) {
  const { t } = useTranslation('plans');
  const [isEdited, setEdited] = useState(false);
  const apply = useApplyPlan();
  const handleClose = useLeaveGuard(isEdited, onClose);
  return (
    <Modal
      opened
      onClose={apply.isHeld ? () => undefined : handleClose}
      size="lg"
      title={t('apply.title', { name: plan.name })}
    >
      <ApplyPlanForm
        plan={plan}
        apply={apply}
        onEdit={() => setEdited(true)}
        onCancel={handleClose}
        onDone={onClose}
        {...rest}
      />
    </Modal>
  );
}
