import type { Logger } from '../../contract/logger.ts';
import type { Store } from '../../store/open-store.ts';
import type { LeftOut } from './contract.ts';
import { externalEntries } from './remote/external-links.ts';
import type { createLibrary, LibraryInbound } from './library.ts';
import type { Content, EntryClient, LinkEngine, LinkFormat, NameUse, Piece } from './entries/link-engine-port.ts';
import type { AttachedSubscriber, Subscriber } from './repository.ts';

/** An entry with its owner. */
export interface ComposedEntry {
  client: Subscriber;
  /** 0 = an external link. */
  inboundId: number;
  name: string;
  content: Content;
  /** It refuses apps on other engines. */
  needsXray: boolean;
}

export interface Composed {
  entries: ComposedEntry[];
  leftOut: LeftOut[];
}

export interface ComposeChoice {
  format: LinkFormat;
  /** Whether the panel or the page shows the names, not an app. */
  isDisplay: boolean;
  /** Host name of the request. */
  requestName: string;
  /** Includes links of disabled inbounds: for the operator, never for a subscription. */
  withDisabled?: boolean;
}

/**
 * Assembles what clients get in a format: their inbounds by id, their endpoints in order, then their external links.
 */
export function createComposer(deps: {
  store: Store;
  library: ReturnType<typeof createLibrary>;
  remotes: { lines(url: string): Promise<readonly string[]> };
  engine: LinkEngine;
  clock: () => number;
  log: Pick<Logger, 'warn'>;
}) {
  const { store, library, remotes, engine, clock, log } = deps;

  /** @param clients to render, by id */
  return async (clients: readonly AttachedSubscriber[], choice: ComposeChoice): Promise<Composed> => {
    const { format, isDisplay, requestName, withDisabled = false } = choice;
    const composed: Composed = { entries: [], leftOut: [] };
    if (clients.length === 0) return composed;
    const inbounds = await library.current();
    // By inbound, then client: sorting keeps the order of equal ones.
    const attached = clients
      .flatMap((client) => client.attachments.map((attachment) => ({ client, ...attachment })))
      .sort((one, other) => one.inboundId - other.inboundId);
    const nowMs = clock();

    function add(piece: Piece, client: Subscriber, inboundId: number): void {
      if ('content' in piece) {
        const { name, content, needsXray = false } = piece;
        composed.entries.push({ client, inboundId, name, content, needsXray });
      } else
        composed.leftOut.push({ format, inboundId, remark: piece.name, email: client.email, reason: piece.reason });
    }

    function addAt(inbound: LibraryInbound, client: EntryClient): void {
      try {
        for (const writer of engine.writers(inbound, format, requestName)) {
          const use: NameUse = isDisplay ? 'display' : composed.entries.length === 0 ? 'first' : 'later';
          add(writer.write(client, use, nowMs), client, inbound.id);
        }
      } catch (error) {
        // One bad row must not take the others with it.
        log.warn('sub.inboundSkipped', { inboundId: inbound.id, error });
      }
    }

    let inboundId = 0;
    let seen = new Set<string>();
    for (const { client, inboundId: id, flowOverride, passwordOverride } of attached) {
      const inbound = inbounds.get(id);
      if (inbound === undefined || !(inbound.isEnabled || withDisabled)) continue;
      if (inbound.id !== inboundId) [inboundId, seen] = [inbound.id, new Set()];
      // Entries that differ only in case come from imports and must not multiply.
      const key = client.email.toLowerCase();
      if (seen.has(key)) continue;
      seen.add(key);
      addAt(inbound, { ...client, flowOverride, passwordOverride });
    }
    for (const { client, link } of await externalEntries(store, remotes, clients))
      add(engine.foreign(link, client, format), client, 0);
    return composed;
  };
}
