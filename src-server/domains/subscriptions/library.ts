import { parseJsonObject } from '../../contract/json-text.ts';
import type { LinkHost, LinkInbound } from '../../links/types.ts';
import type { Store } from '../../store/open-store.ts';
import { HostContent } from '../hosts/contract.ts';
import {
  fallbackRows,
  hostRows,
  inboundRows,
  type FallbackRow,
  type InboundRow,
  type LinkedHostRow,
} from './repository.ts';

/** An inbound, read once per change and compared by identity: a change creates a new object. */
export interface LibraryInbound extends LinkInbound {
  isEnabled: boolean;
  /** Address of the node that runs it; empty = it runs here, or its node has none. */
  nodeAddress: string;
}

export type Library = ReadonlyMap<number, LibraryInbound>;

/**
 * Inbounds and hosts in memory, reread after a commit. Unchanged ones keep their identity, so that what has been
 * rendered from them stays valid.
 */
export function createLibrary(store: Store) {
  let version = -1;
  let current: Library = new Map();
  let texts = new Map<number, string>();
  let loading: Promise<void> | null = null;

  async function load(): Promise<void> {
    const asOf = store.turnReader.version();
    const inbounds = await inboundRows(store.reader);
    const hosts = Map.groupBy(await hostRows(store.reader), ({ inboundId }) => inboundId);
    const rules = await fallbackRows(store.reader);
    const next = new Map<number, LibraryInbound>();
    const nextTexts = new Map<number, string>();
    const rows = new Map(inbounds.map((row) => [row.id, row]));
    for (const row of inbounds) {
      const masterRow = masterOf(row, rules, rows);
      const own = hosts.get(row.id) ?? [];
      const text = JSON.stringify([row, own, masterRow]);
      const known = texts.get(row.id) === text ? current.get(row.id) : undefined;
      next.set(row.id, known ?? read(row, own, masterRow));
      nextTexts.set(row.id, text);
    }
    [current, texts, version] = [next, nextTexts, asOf];
  }

  return {
    /** Includes everything that was committed before the call. */
    async current(): Promise<Library> {
      if (store.turnReader.version() === version) return current;
      // A read in progress may have begun before that commit; the next one begins after it.
      if (loading !== null) await loading;
      if (store.turnReader.version() === version) return current;
      await (loading ??= load().finally(() => (loading = null)));
      return current;
    },
  };
}

function read(row: InboundRow, hosts: readonly LinkedHostRow[], master: InboundRow | null): LibraryInbound {
  const { id, remark, listen, port, protocol, nodeAddress } = row;
  return {
    id,
    remark,
    isEnabled: row.enable === 1,
    listen,
    port,
    protocol,
    settings: parseJsonObject(row.settings) ?? {},
    stream: parseJsonObject(row.streamSettings) ?? {},
    nodeAddress: nodeAddress ?? '',
    hosts: hosts.flatMap((host) => readHost(host)),
    master: master === null ? null : read(master, [], null),
  };
}

function readHost({ address, port, content }: LinkedHostRow): LinkHost[] {
  const parsed = HostContent.safeParse(parseJsonObject(content));
  return parsed.success ? [{ ...parsed.data, address, port }] : [];
}

/** Only an inbound that cannot be reached from outside sits behind another; a rule for a public one is stale. */
function masterOf(
  row: InboundRow,
  rules: readonly FallbackRow[],
  rows: ReadonlyMap<number, InboundRow>,
): InboundRow | null {
  if (!/^(?:[/@]|127\.|::1$|localhost$)/.test(row.listen)) return null;
  const isAbstract = row.listen.startsWith('@');
  const leadsHere = ({ childId, dest }: FallbackRow): boolean =>
    childId === row.id || (isAbstract && dest === row.listen);
  const rule = rules.find((each) => rows.has(each.masterId) && leadsHere(each));
  if (rule !== undefined) return rows.get(rule.masterId)!;
  if (!isAbstract) return null;
  return [...rows.values()].find(({ id, settings }) => id !== row.id && namesDestination(settings, row.listen)) ?? null;
}

function namesDestination(settings: string, listen: string): boolean {
  const fallbacks = parseJsonObject(settings)?.['fallbacks'];
  return Array.isArray(fallbacks) && fallbacks.some((one) => (Object(one) as { dest?: unknown }).dest === listen);
}
