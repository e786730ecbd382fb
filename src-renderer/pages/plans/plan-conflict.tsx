import { useTranslation } from 'react-i18next';
import type { Plan } from '#contract/plans';
import { sizeText } from '../../forms/byte-size.ts';
import { FormConflict } from '../../forms/conflict/form-conflict.tsx';
import type { FormConflictState } from '../../forms/conflict/use-form-conflict.ts';
import { inboundLabel, useInboundOptions } from '../clients/use-inbound-options.ts';
import type { PlanForm } from './plan-form.ts';

/** What another admin changed in the plan, in the words of its fields. */
export function PlanConflict({ conflict }: { conflict: FormConflictState<Plan, PlanForm> }) {
  const { t } = useTranslation(['plans', 'clients']);
  const { data: inbounds = [] } = useInboundOptions();
  return <FormConflict title={t('conflict.title')} conflict={conflict} labelOf={labelOf} wordsOf={wordsOf} />;

  function labelOf(name: keyof PlanForm): string {
    if (name === 'name' || name === 'days' || name === 'startsAtFirstUse') return t(name);
    return t(`clients:conflict.field.${name}`);
  }
  function wordsOf(name: keyof PlanForm, theirs: PlanForm): string | undefined {
    if (name === 'quotaBytes') return sizeText(theirs.quotaBytes);
    if (name === 'renewal') return t(`clients:form.renewals.${theirs.renewal}`);
    if (name === 'flow' && theirs.flow === '') return t('flowAlone');
    if (name !== 'inboundIds') return undefined;
    const chosen = inbounds.filter(({ id }) => theirs.inboundIds.includes(String(id)));
    return chosen.map(inboundLabel).join(', ');
  }
}
