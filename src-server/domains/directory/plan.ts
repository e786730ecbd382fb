import { createHash } from 'node:crypto';
import { DomainError } from '../../contract/domain-error.ts';
import { foldText } from '../../store/fold-text.ts';
import { MAX_NAME_LENGTH } from '../clients/contract.ts';
import { checkEmail } from '../clients/rules/name-rules.ts';
import type { DirectoryPlan, LeftOut } from './contract.ts';
import type { FoundEntries } from './read-directory.ts';
import type { ConcernedClient } from './repository.ts';

export interface PlanRules {
  createsClients: boolean;
  detachesClients: boolean;
  /** Identifies the settings that select people. */
  fingerprint: string;
}

export type Changes = Pick<DirectoryPlan, 'create' | 'attach' | 'enable' | 'disable' | 'detach'>;

export interface PlannedChanges extends Changes {
  id: string;
  leftOut: LeftOut[];
}

/** One name in the directory, with the data of its entries. */
interface Named {
  name: string;
  verdicts: Set<boolean>;
  /** A client under another name of the same entry belongs to this person. */
  hasOtherName: boolean;
}

/**
 * The changes that make the clients match the directory. A client matches any name of its entry, ignoring case like all
 * e-mails in the panel. A client whose name belongs to two entries that disagree is left alone.
 */
export function planChanges(
  { entries, notText }: Pick<FoundEntries, 'entries' | 'notText'>,
  clients: readonly ConcernedClient[],
  { createsClients, detachesClients, fingerprint }: PlanRules,
): PlannedChanges {
  const clientOf = new Map(clients.map((client) => [client.emailKey, client]));
  const names = namesOf(entries, new Set(clientOf.keys()));
  const changes: Changes = { create: [], attach: [], enable: [], disable: [], detach: [] };
  const leftOut: LeftOut[] = notText.map((name) => ({ name, why: 'notText' }));
  for (const [key, { name, verdicts, hasOtherName }] of names) {
    const client = clientOf.get(key);
    const isAllowed = verdicts.has(true);
    if (verdicts.size > 1) leftOut.push({ name, why: 'disagree' });
    else if (client !== undefined) {
      if (!isAllowed && client.enable === 1) changes.disable.push(client.email);
      // A client disabled by quota or expiry would be disabled again at the next tick.
      if (isAllowed && client.enable === 0 && client.disabledBy !== 'loop') changes.enable.push(client.email);
      if (isAllowed && createsClients && client.isManaged === 0) changes.attach.push(client.email);
    } else if (isAllowed && createsClients && !hasOtherName) {
      if (isUsableEmail(name)) changes.create.push(name);
      else leftOut.push({ name, why: 'unusable' });
    }
  }
  if (detachesClients)
    for (const { email, emailKey, isManaged } of clients)
      if (isManaged === 1 && !names.has(emailKey)) changes.detach.push(email);
  for (const list of Object.values(changes)) list.sort();
  const id = createHash('sha256')
    .update(JSON.stringify([fingerprint, changes]))
    .digest('hex');
  return { ...changes, id, leftOut };
}

function namesOf(entries: FoundEntries['entries'], known: ReadonlySet<string>): Map<string, Named> {
  const named = new Map<string, Named>();
  for (const { names, isAllowed } of entries) {
    const trimmed = names.map((name) => name.trim()).filter((name) => name !== '');
    const keys = trimmed.map(foldText);
    const isKnown = keys.some((key) => known.has(key));
    for (const [at, name] of trimmed.entries()) {
      const one = named.get(keys[at]!) ?? { name, verdicts: new Set(), hasOtherName: false };
      one.verdicts.add(isAllowed);
      // The first of several names of a new person creates the client.
      one.hasOtherName ||= isKnown || at > 0;
      named.set(keys[at]!, one);
    }
  }
  return named;
}

function isUsableEmail(name: string): boolean {
  try {
    checkEmail(name);
    return name.length <= MAX_NAME_LENGTH;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}
