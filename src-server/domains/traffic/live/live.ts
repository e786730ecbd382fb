import type { Publish } from '../../../contract/events.ts';
import { createTimeSlices } from '../../../time-slices.ts';
import type { Store } from '../../../store/open-store.ts';
import type { RemoteOnline } from './online.ts';
import { presentClient, presentInbound, presentOutbounds } from '../present.ts';
import { clientRows, inboundRows, outboundRows } from './repository-live.ts';

const STEPS_PER_CLOCK = 512;
/** More rows in one message would block the event loop here and the page there, which shows at most 200 of them. */
const MAX_CLIENT_ROWS = 5_000;

/** Bytes moved since the last message, per name. */
type Sums = Map<string, { up: number; down: number }>;

export interface LiveDeps {
  store: Store;
  panelGuid: string;
  publish: Publish;
  hasListeners: () => boolean;
  remoteOnline?: RemoteOnline;
}

/** Names of one reading with their traffic; a null name belongs to no client. */
export interface LiveMoved {
  names: readonly (string | null)[];
  upDelta: Float64Array;
  downDelta: Float64Array;
}

export interface LiveMovement {
  clients: LiveMoved;
  inbounds: LiveMoved;
  outbounds: LiveMoved;
}

/**
 * Collects traffic between two messages and sends it to open pages; costs nothing while there are none. Rows without
 * traffic are never sent: a page reads them once, and other changes come with an `invalidate`. When more clients moved
 * bytes than a message may hold, pages are told to reload what they show instead.
 */
export function createLive({ store, panelGuid, publish, hasListeners, remoteOnline }: LiveDeps) {
  let clients: Sums = new Map();
  let inbounds: Sums = new Map();
  let outbounds: Sums = new Map();

  function send(message: 'traffic' | 'client_stats' | 'outbounds', data: unknown): void {
    publish({ type: 'live', message, producer: 'core', data });
  }

  return {
    /** Also between the regular messages: readings for a quota, and the final one of a core. */
    async collect(movement: LiveMovement): Promise<void> {
      if (!hasListeners()) return;
      await addTo(clients, movement.clients, MAX_CLIENT_ROWS);
      await addTo(inbounds, movement.inbounds);
      await addTo(outbounds, movement.outbounds);
    },

    /** Sends the regular messages: online clients of this panel's core and of all places, and the active tags here. */
    async send(
      online: { here: ReadonlySet<string>; all: ReadonlySet<string> },
      activeTags: ReadonlySet<string>,
    ): Promise<void> {
      const moved = { clients, inbounds, outbounds };
      clients = new Map();
      inbounds = new Map();
      outbounds = new Map();
      if (!hasListeners()) return;
      if (moved.clients.size > MAX_CLIENT_ROWS) {
        moved.clients = new Map();
        publish({ type: 'invalidate', resource: 'clients' });
      }
      const speeds = remoteOnline?.speeds() ?? null;
      const onNodes = new Set(speeds?.map(({ tag }) => tag));
      const rows = await clientRows(store, [...moved.clients.keys()]);
      send('traffic', {
        traffics: [...tagged(moved.inbounds, true), ...tagged(moved.outbounds, false)],
        clientTraffics: [...moved.clients].map(([email, { up, down }]) => ({ email, up, down })),
        onlineClients: [...online.all],
        onlineByGuid: { ...remoteOnline?.byGuid(), [panelGuid]: [...online.here] },
        activeInbounds: { ...remoteOnline?.activeByGuid(), [panelGuid]: [...activeTags] },
        lastOnlineMap: Object.fromEntries(rows.map(({ email, lastOnlineAtMs }) => [email, lastOnlineAtMs])),
        nodeTraffics:
          speeds?.map(({ tag, up, down }) => ({ isInbound: true, isOutbound: false, tag, up, down })) ?? null,
      });
      const inboundList = (await inboundRows(store)).filter(({ tag }) => moved.inbounds.has(tag) || onNodes.has(tag));
      if (rows.length + inboundList.length > 0) {
        send('client_stats', {
          snapshot: false,
          ...(rows.length > 0 ? { clients: rows.map(presentClient) } : {}),
          ...(inboundList.length > 0 ? { inbounds: inboundList.map(presentInbound) } : {}),
        });
      }
      if (moved.outbounds.size === 0) return;
      const outboundList = presentOutbounds(await outboundRows(store));
      send(
        'outbounds',
        outboundList.filter(({ tag }) => moved.outbounds.has(tag)),
      );
    },
  };
}

/** @param enough stops one name above this: they would not be sent */
async function addTo(sums: Sums, { names, upDelta, downDelta }: LiveMoved, enough = Infinity): Promise<void> {
  const slices = createTimeSlices();
  for (let i = 0; i < names.length; i++) {
    const name = names[i]!;
    const hasMoved = upDelta[i]! > 0 || downDelta[i]! > 0;
    if (name === null || !hasMoved) continue;
    const sum = sums.get(name);
    if (sum === undefined) {
      sums.set(name, { up: upDelta[i]!, down: downDelta[i]! });
      if (sums.size > enough) return;
    } else {
      sum.up += upDelta[i]!;
      sum.down += downDelta[i]!;
    }
    if (i % STEPS_PER_CLOCK === 0 && slices.isOver()) await slices.next();
  }
}

function tagged(sums: Sums, isInbound: boolean) {
  return [...sums].map(([tag, { up, down }]) => ({ isInbound, isOutbound: !isInbound, tag, up, down }));
}
