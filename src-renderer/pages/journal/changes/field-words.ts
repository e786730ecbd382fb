import type { TFunction } from 'i18next';
import type { JournalPart, JournalRow } from '#contract/journal';
import type { RowKey } from '../../settings/sections.ts';

/** Columns that the pages name differently; members of configs keep their own names. */
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

type Words = TFunction<['journal', 'settings']>;

/** The name of a changed value. @param kind of the thing it belongs to */
export function fieldWords(t: Words, kind: JournalRow['kind'], name: string): string {
  if (kind === 'setting') return settingWords(t, name);
  const known = NAMED.find((each) => each === name);
  return known === undefined ? name : t(`fieldName.${known}`);
}

/** A part of an entry with settings called what their page calls them. */
export const inWords = (t: Words, part: JournalPart): JournalPart =>
  part.kind === 'setting' ? { ...part, names: part.names.map((name) => settingWords(t, name)) } : part;

/** A setting without a row on its page keeps its own name. */
const settingWords = (t: Words, name: string): string => t(`settings:field.${name as RowKey}`, { defaultValue: name });
