import { Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Plan, PlanPart } from '#contract/plans';
import { ApplyPlanForm } from './apply-plan-form.tsx';

interface ApplyPlanDialogProps {
  plan: Plan;
  /** Chosen at first; all of them unless told otherwise. */
  parts?: readonly PlanPart[] | undefined;
  addDays?: number | undefined;
  /** It was not asked for: the plan was just saved. */
  isOffer: boolean;
  onClose: () => void;
}

/** Brings a plan to the clients that have it, with the list of what that changes first. */
export function ApplyPlanDialog({ plan, onClose, ...rest }: ApplyPlanDialogProps) {
  const { t } = useTranslation('plans');
  return (
    <Modal opened onClose={onClose} size="lg" title={t('apply.title', { name: plan.name })}>
      <ApplyPlanForm plan={plan} onClose={onClose} {...rest} />
    </Modal>
  );
}
