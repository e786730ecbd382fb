/** Initial data of both sides of the simulated fleet, so that it is in sync without a first delivery. */
export const NODES = 100;
export const CLIENTS_PER_NODE = 1_000;
export const INBOUNDS_PER_NODE = 5;
/** The one client that is on the first inbound of every node. */
export const EVERYWHERE = { id: NODES * CLIENTS_PER_NODE + 1, email: 'everywhere@example.org' };
export const CREATED_AT_MS = 1_750_000_000_000;

export interface FleetClient {
  id: number;
  email: string;
  uuid: string;
  subId: string;
  /** Index of its inbound on the node. */
  inbound: number;
}

export const uuidOf = (id: number): string => `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`;
export const subIdOf = (id: number): string => `sub${String(id).padStart(13, '0')}`;
export const portOf = (inbound: number): number => 20_000 + inbound;
export const tagOf = (inbound: number): string => `in-${portOf(inbound)}-tcp`;

/** Clients of a node except the shared one. */
export function clientsOf(node: number): FleetClient[] {
  return Array.from({ length: CLIENTS_PER_NODE }, (_, at) => {
    const id = node * CLIENTS_PER_NODE + at + 1;
    const email = `client-${node}-${at}@example.org`;
    return { id, email, uuid: uuidOf(id), subId: subIdOf(id), inbound: at % INBOUNDS_PER_NODE };
  });
}

/** How a simulated node behaves; `slow` delays every response, `hangs` never responds. */
export type Manner = 'well' | 'slow' | 'hangs' | 'refuses';

/** Messages to the fleet's process; it answers with the figures of its nodes since the last one. */
export interface Order {
  /** Whether the nodes report their contents, or nothing. */
  isFilled?: boolean;
  isMoving?: boolean;
  /** By node; `well` for nodes that are not named. */
  manners?: Manner[];
}

/** Per node. */
export interface NodeFigures {
  /** When the shared client was last changed there; 0 = never. */
  changedAtMs: number;
  /** The longest time between two readings of its list. */
  gapMs: number;
  readings: number;
}
