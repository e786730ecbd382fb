import { useTranslation } from 'react-i18next';
import type { DriftField } from '#contract/nodes/drift';
import { useFormat } from '../../../i18n/format.ts';

/** Fields with a translated name; the others are shown by their path. */
const NAMED = [
  'enable',
  'remark',
  'listen',
  'port',
  'protocol',
  'expiryTime',
  'total',
  'totalGB',
  'trafficReset',
  'limitIp',
  'tgId',
  'reset',
  'resetDay',
  'group',
  'subId',
  'id',
  'password',
  'auth',
  'flow',
  'inbounds',
] as const;
type NamedField = (typeof NAMED)[number];

export const isNamedField = (field: string): field is NamedField => (NAMED as readonly string[]).includes(field);

const DAY_SECONDS = 86_400;

/** A value as text: sizes, dates and switches in words; nothing of a secret. */
export function useDriftValue() {
  const { t } = useTranslation(['nodes', 'words']);
  const format = useFormat();
  return ({ field, isSecret, isAppliedKnown, ...sides }: DriftField, side: 'want' | 'applied' | 'has'): string => {
    if (side === 'applied' && !isAppliedKnown) return t('fleet.unknown');
    if (isSecret) return t('drift.value.secret');
    const value = sides[side];
    if (value === null || value === '') return t('drift.value.none');
    if (typeof value === 'boolean') return t(value ? 'words:yes' : 'drift.value.off');
    if (typeof value === 'string') return value;
    if (field === 'total' || field === 'totalGB') return value === 0 ? t('drift.value.unlimited') : format.bytes(value);
    if (field === 'limitIp' && value === 0) return t('drift.value.unlimited');
    if (field !== 'expiryTime') return format.plain(value);
    if (value === 0) return t('drift.value.never');
    return value > 0
      ? format.dateTime(value)
      : t('drift.value.fromFirstUse', { days: format.decimal(-value / 1000 / DAY_SECONDS) });
  };
}
