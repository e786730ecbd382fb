import { useTranslation } from 'react-i18next';
import type { Plan } from '#contract/plans';
import { useFormat } from '../../i18n/format.ts';

/** "50 GiB · 30 days · 2 addresses": a plan in one line. */
export function usePlanWords(): (plan: Plan) => string {
  const { t } = useTranslation('plans');
  const format = useFormat();
  return (plan) =>
    [
      plan.quotaBytes === 0 ? t('unlimited') : format.bytes(plan.quotaBytes),
      plan.days === 0 ? t('noEnd') : t(plan.startsAtFirstUse ? 'fromFirstUse' : 'termDays', { days: plan.days }),
      plan.reset > 0 ? t('every', { days: plan.reset }) : '',
      plan.resetDay > 0 ? t('everyMonth', { day: format.number(plan.resetDay) }) : '',
      plan.limitIp > 0 ? t('addresses', { count: plan.limitIp }) : '',
      plan.group === '' ? '' : `\u2068${plan.group}\u2069`,
      plan.inboundIds.length > 0 ? t('inboundCount', { count: plan.inboundIds.length }) : '',
    ]
      .filter((part) => part !== '')
      .join(' · ');
}
