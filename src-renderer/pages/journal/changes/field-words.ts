import type { TFunction } from 'i18next';

/** Columns that have a name of their own on the pages; settings and members of configs are called what they are. */
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

/** What a value is called that changed. */
export function fieldWords(t: TFunction<'journal'>, name: string): string {
  const known = NAMED.find((each) => each === name);
  return known === undefined ? name : t(`fieldName.${known}`);
}
