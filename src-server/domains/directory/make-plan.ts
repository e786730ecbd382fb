import { createHash } from 'node:crypto';
import type { Store } from '../../store/open-store.ts';
import { foldText } from '../../store/fold-text.ts';
import type { GuardedDialer } from '../../net/guarded-dialer.ts';
import type { Settings } from '../settings/contract.ts';
import { listOf } from '../settings/checks/field-checks.ts';
import { DomainError } from '../../contract/domain-error.ts';
import { DirectoryError } from './directory-failure.ts';
import { withDirectory } from './directory-session.ts';
import { planChanges, type PlannedChanges } from './plan.ts';
import { attributesOf, readEntries, type FoundEntries } from './read-directory.ts';
import { concernedClients, inboundsByTags } from './repository.ts';

export interface ReadDeps {
  store: Store;
  dialer: Pick<GuardedDialer, 'connect'>;
}

/** Time limit of one step of a session, and of the whole session. */
const STEP_MS = 5_000;
const WHOLE_MS = 60_000;

export interface MadePlan extends PlannedChanges {
  fingerprint: string;
  entries: number;
  clients: number;
  inboundIds: number[];
  unknownTags: string[];
}

/**
 * Everyone whom the settings select from the directory.
 * @throws {DirectoryError} also for a directory without people: it counts as unreadable, and decides nothing
 */
export async function readDirectory(
  dialer: ReadDeps['dialer'],
  settings: Settings,
  signal: AbortSignal,
): Promise<FoundEntries> {
  const way = { dialer, stepMs: STEP_MS, timeoutMs: WHOLE_MS, signal };
  const found = await withDirectory(settings, way, (client) => readEntries(client, settings));
  if (found.entries.length > 0) return found;
  if (found.notText.length + found.nameless === 0) throw new DirectoryError('search', 'directory.empty');
  throw new DirectoryError('search', 'directory.noNames', { attribute: attributesOf(settings).nameAttribute });
}

/** What a run would change now. @throws {DomainError} `directory.*` */
export async function makePlan(
  { store, dialer }: ReadDeps,
  settings: Settings,
  signal: AbortSignal,
): Promise<MadePlan> {
  const tags = listOf(settings.ldapInboundTags);
  const inbounds = tags.length === 0 ? [] : await inboundsByTags(store.reader, tags);
  if (inbounds.length === 0) throw new DomainError('directory.noInbound');
  const found = await readDirectory(dialer, settings, signal);
  const entries = found.entries.length + found.notText.length;
  const keys = found.entries.flatMap(({ names }) => names.map((name) => foldText(name.trim())));
  const inboundIds = inbounds.map(({ id }) => id);
  const clients = await concernedClients(store.heavyReader, keys, inboundIds);
  const fingerprint = fingerprintOf(settings);
  const rules = {
    createsClients: settings.ldapAutoCreate,
    detachesClients: settings.ldapAutoDelete,
    fingerprint,
  };
  return {
    ...planChanges(found, clients, rules),
    fingerprint,
    entries,
    clients: clients.length,
    inboundIds,
    unknownTags: tags.filter((tag) => inbounds.every((inbound) => inbound.tag !== tag)),
  };
}

/**
 * Settings that select people and decide what happens to them: when they change, the next plan counts as a first one.
 */
function fingerprintOf(settings: Settings): string {
  const deciding = [
    settings.ldapHost,
    settings.ldapPort,
    settings.ldapBaseDN,
    settings.ldapUserFilter,
    settings.ldapUserAttr,
    settings.ldapVlessField,
    settings.ldapFlagField,
    settings.ldapTruthyValues,
    settings.ldapInvertFlag,
    settings.ldapInboundTags,
    settings.ldapAutoCreate,
    settings.ldapAutoDelete,
  ];
  return createHash('sha256').update(JSON.stringify(deciding)).digest('hex');
}
