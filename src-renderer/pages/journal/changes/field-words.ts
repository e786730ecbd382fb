import type { TFunction } from 'i18next';

/** Columns that the pages name differently; settings and members of configs keep their own names. */
const NAMED = [
  'email',
  'subId',
  'uuid',
  'password',
  'auth',
  'flow',
  'security',
  'limitIp',
  'tgId',
  'groupName',
  'comment',
  'enable',
  'quotaBytes',
  'expiresAtMs',
  'resetDays',
  'resetDay',
  'upBytes',
  'downBytes',
  'inboundId',
  'tag',
  'remark',
  'listen',
  'port',
  'protocol',
  'trafficReset',
  'nodeId',
  'address',
  'sortOrder',
  'name',
  'planId',
  'days',
  'startsAtFirstUse',
] as const;

/** The name of a changed value. */
export function fieldWords(t: TFunction<'journal'>, name: string): string {
  const known = NAMED.find((each) => each === name);
  return known === undefined ? name : t(`fieldName.${known}`);
}
