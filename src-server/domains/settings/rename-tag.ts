import type { WriteTransaction } from '../../store/open-store.ts';
import { listOf } from './checks/field-checks.ts';
import { readRow, writeRow } from './repository.ts';
import type { SettingKey } from './contract.ts';

/** Tags of inbounds, separated by commas. */
export const TAGS_OF_INBOUNDS = 'ldapInboundTags' satisfies SettingKey;

/** An inbound has another tag from now on. @returns whether a setting named it and names the new one now */
export async function renameInSettings(trx: WriteTransaction, from: string, to: string): Promise<boolean> {
  const tags = listOf((await readRow(trx, TAGS_OF_INBOUNDS)) ?? '');
  if (!tags.includes(from) || to.includes(',')) return false;
  await writeRow(trx, TAGS_OF_INBOUNDS, tags.map((tag) => (tag === from ? to : tag)).join(','));
  return true;
}
