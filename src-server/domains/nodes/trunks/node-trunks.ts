import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { Basics } from '../../basics.ts';
import { DialError } from '../../../net/dial-error.ts';
import { TRUNK_REQUEST, type Place, type PlaceChange } from '../../../net/trunk/messages.ts';
import { openMasterEnd, type MasterEnd } from '../../../net/trunk/trunk-ends.ts';
import { nodeHostName, secureAsMaster } from '../../../net/trunk/trunk-tls.ts';
import type { NodeRow } from '../stored-types.ts';
import type { MutualTls } from '../trust/mutual-tls.ts';
import { dialNode, OPEN_WITHIN_MS, type DialDeps } from './dial-node.ts';
import { requestPlace } from './request-place.ts';
import { createCopies, refuseCopy } from './copies.ts';
import { renewIfDue } from './renew-certificate.ts';

const TELL_WITHIN_MS = 5_000;
/** Part of the time that a stopping panel has. */
const TELL_AT_END_WITHIN_MS = 1_000;
/** Node certificates are valid for two years. */
const LOOK_AT_AGE_EVERY_MS = 6 * 3_600_000;

export interface NodeTrunksDeps
  extends Pick<Basics, 'clock' | 'monotonic' | 'schedule' | 'log'>, Pick<DialDeps, 'dialerOf'> {
  mutualTls: Pick<MutualTls, 'trunkIdentity' | 'issueNode'>;
  /** Address of this panel for nodes, if one was set; empty = the address they enrolled at. */
  ownUrl: () => Promise<string>;
  /** Current row of an enabled, enrolled node; undefined = there is none. */
  rowOf: (nodeId: number) => NodeRow | undefined;
}

interface OpenTrunk {
  end: MasterEnd;
  by: 'node' | 'panel';
  trunkId: string;
  socket: TLSSocket;
}

/**
 * Persistent connections to enrolled nodes. A node dials this panel and keeps the connection, so that it needs no open
 * port; without one, this panel dials the node. Calls use whichever exists.
 */
export function createNodeTrunks({ dialerOf, mutualTls, ownUrl, rowOf, ...basics }: NodeTrunksDeps) {
  const { schedule, clock, monotonic, log } = basics;
  const open = new Map<number, OpenTrunk>();
  const dialling = new Map<number, Promise<MasterEnd>>();
  const copies = createCopies(monotonic);
  /** Calls waiting for a trunk. */
  const waiting = new Map<number, Set<(end: MasterEnd) => void>>();
  const closing = new AbortController();
  const ages = schedule.every(LOOK_AT_AGE_EVERY_MS, async () => {
    for (const nodeId of open.keys()) await renew(nodeId);
  });

  /** Inner TLS with the node of this row. */
  async function secured(stream: Duplex, { trunkId }: NodeRow): Promise<TLSSocket> {
    const { authority, ...identity } = await mutualTls.trunkIdentity();
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(OPEN_WITHIN_MS)]);
    return secureAsMaster(stream, identity, { authority, name: nodeHostName(trunkId) }, signal);
  }

  function keep(nodeId: number, { end, by, trunkId, socket }: OpenTrunk): MasterEnd {
    const before = open.get(nodeId);
    open.set(nodeId, { end, by, trunkId, socket });
    // The newer one is known to be alive; calls in progress on the older one end with it.
    before?.end.close();
    log.info('node.trunkOpen', { nodeId, by });
    void end.closed.then(() => {
      if (open.get(nodeId)?.end === end) open.delete(nodeId);
      log.info('node.trunkEnded', { nodeId, by });
    });
    for (const take of waiting.get(nodeId) ?? []) take(end);
    tellAddress(nodeId).catch((error: unknown) => log.warn('node.addressNotTold', { nodeId, error }));
    renew(nodeId).catch((error: unknown) => log.warn('node.certificateNotRenewed', { nodeId, error }));
    return end;
  }

  function current(nodeId: number, { trunkId }: NodeRow): MasterEnd | null {
    const found = open.get(nodeId);
    return found !== undefined && found.trunkId === trunkId && found.end.isOpen ? found.end : null;
  }

  const isWanted = ({ id, trunkId }: NodeRow): boolean => rowOf(id)?.trunkId === trunkId;

  const dial = async (nodeId: number, row: NodeRow): Promise<MasterEnd> => {
    const socket = await dialNode(row, { dialerOf, schedule, secured, signal: closing.signal });
    const { trunkId } = row;
    if (isWanted(row)) return keep(nodeId, { end: openMasterEnd(socket), by: 'panel', trunkId, socket });
    socket.destroy();
    throw disabled();
  };

  /** A trunk that the node dials meanwhile counts too. */
  async function opened(nodeId: number, row: NodeRow): Promise<MasterEnd> {
    let dialled = dialling.get(nodeId);
    if (dialled === undefined) {
      dialled = dial(nodeId, row).finally(() => dialling.delete(nodeId));
      dialling.set(nodeId, dialled);
    }
    let take: (end: MasterEnd) => void = () => {};
    const arrived = new Promise<MasterEnd>((resolve) => (take = resolve));
    const waiters = waiting.get(nodeId) ?? new Set();
    waiting.set(nodeId, waiters.add(take));
    try {
      return await Promise.race([dialled, arrived]);
    } finally {
      waiters.delete(take);
      if (waiters.size === 0) waiting.delete(nodeId);
    }
  }

  /** @returns whether the node knows this panel's address now; a disconnected one gets it when it connects */
  async function tellAddress(nodeId: number): Promise<boolean> {
    const url = await ownUrl();
    const found = open.get(nodeId);
    if (url === '' || found?.end.isOpen !== true) return false;
    await found.end.request(TRUNK_REQUEST.moved, { url }, AbortSignal.timeout(TELL_WITHIN_MS));
    return true;
  }

  /** Whether the node is connected from another process: one that dials again has lost its connection before. */
  async function isCopy(row: NodeRow, place: Place | null): Promise<boolean> {
    const before = current(row.id, row);
    const connected = place === null || before === null ? null : await requestPlace(before);
    return connected !== null && connected.run !== place?.run;
  }

  async function renew(nodeId: number): Promise<void> {
    const found = open.get(nodeId);
    // The next trunk uses the new certificate; calls on this one continue.
    if (found !== undefined && (await renewIfDue(found, mutualTls, clock())))
      log.info('node.certificateRenewed', { nodeId });
  }

  return {
    /** A connection to the API of an enrolled node. @throws {DialError} */
    async connect(nodeId: number): Promise<Duplex> {
      const row = rowOf(nodeId);
      if (row === undefined) throw disabled();
      if (row.trunkId === '') throw new DialError('connect', 'the node is not enrolled');
      return (current(nodeId, row) ?? (await opened(nodeId, row))).connect();
    },
    /**
     * The node has dialled. @returns where it says that it listens; null = unknown
     * @throws {DialError} when it is a different node, or a copy of this one, which is connected
     */
    async accept(row: NodeRow, stream: Duplex, address: string): Promise<Place | null> {
      const { id, trunkId } = row;
      const socket = await secured(stream, row);
      const end = openMasterEnd(socket);
      const place = await requestPlace(end);
      if (await isCopy(row, place)) {
        copies.note(id, address);
        await refuseCopy(end);
        throw new DialError('protocol', `another machine has the identity of node ${row.name}, which is connected`);
      }
      // One that has ended meanwhile must not replace the one that is open.
      if (isWanted(row) && end.isOpen) keep(id, { end, by: 'node', trunkId, socket });
      else socket.destroy();
      return place;
    },
    /** Address of a machine with the identity of this node that was turned away lately; empty = there is none. */
    copyAt: (nodeId: number): string => copies.addressOf(nodeId),
    /** Which side dialled the open trunk; empty = none is open. */
    dialledBy(nodeId: number): 'node' | 'panel' | '' {
      const found = open.get(nodeId);
      return found?.end.isOpen === true ? found.by : '';
    },
    tellAddress,
    /** Nodes that are not connected, or older, find this panel when it dials them. */
    async tellPlaceChange(change: PlaceChange): Promise<void> {
      const signal = AbortSignal.timeout(TELL_AT_END_WITHIN_MS);
      const ends = [...open.values()].map(({ end }) => end);
      await Promise.allSettled(ends.map((end) => end.request(TRUNK_REQUEST.placeChange, change, signal)));
    },
    end(nodeId: number): void {
      open.get(nodeId)?.end.destroy();
    },
    close(): void {
      ages.cancel();
      closing.abort();
      for (const { end } of open.values()) end.destroy();
    },
  };
}

const disabled = (): DialError => new DialError('connect', 'the node is disabled');
