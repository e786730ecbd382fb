import * as z from 'zod';
import { jsonElements } from '../reading/json-elements.ts';
import { ReadFailure, streamCall } from '../reading/limited-call.ts';
import { Amount, Flag, listOf, Moment, Text } from '../reading/tolerant.ts';
import type { Link } from '../../connections/link.ts';

const LIMITS = { ms: 300_000, idleMs: 20_000, bytes: 384 * 1024 * 1024 };
const MAX_CLIENT_BYTES = 256 * 1024;
const MAX_INBOUND_BYTES = 64 * 1024 * 1024;
const MAX_CLIENTS = 200_000;

const Usage = z.object({ up: Amount, down: Amount }).catch({ up: 0, down: 0 });
const Row = z.object({
  email: Text,
  enable: Flag,
  totalGB: Amount,
  expiryTime: Moment,
  traffic: Usage,
  inboundIds: z.array(z.int()).max(5_000).catch([]),
});
type Row = z.output<typeof Row>;

/** The client whose links are tried for an inbound; `isAlone`: it is on no other. */
export interface Chosen {
  email: string;
  isAlone: boolean;
}

/** Whether the core accepts a client now. */
export function isUsable(
  { enable, totalGB, expiryTime, traffic }: Omit<Row, 'email' | 'inboundIds'>,
  nowMs: number,
): boolean {
  return enable && (totalGB === 0 || traffic.up + traffic.down < totalGB) && (expiryTime <= 0 || expiryTime > nowMs);
}

/**
 * A usable client for each inbound: the preferred one if attached, else one that is on no other inbound, else any. A
 * client whose term starts with the first traffic is used only when there is no other: trying it would start the term.
 * @throws {ReadFailure}
 */
export async function chooseClients(link: Link, preferred: string, nowMs: number): Promise<Map<number, Chosen>> {
  const found = new Map<number, Chosen & { rank: number }>();
  const take = (row: Row): void => {
    if (!isUsable(row, nowMs)) return;
    const isAlone = row.inboundIds.length === 1;
    const rank = row.email === preferred ? 3 : row.expiryTime < 0 ? 0 : isAlone ? 2 : 1;
    for (const id of row.inboundIds)
      if (rank > (found.get(id)?.rank ?? -1)) found.set(id, { email: row.email, isAlone, rank });
  };
  try {
    const rows = jsonElements(MAX_CLIENT_BYTES, (element) => {
      const read = Row.safeParse(element);
      if (read.success) take(read.data);
    });
    await streamCall(link, { path: '/panel/api/clients/list' }, LIMITS, rows.push);
    rows.end();
  } catch (error) {
    if (!(error instanceof ReadFailure) || error.trouble !== 'absent') throw error;
    await fromInbounds(link, take);
  }
  return found;
}

const Entry = z.object({ email: Text, enable: Flag, totalGB: Amount, expiryTime: Moment });
const Stats = listOf(z.object({ email: Text, up: Amount, down: Amount }), MAX_CLIENTS);

/** Older panels know clients only inside inbounds. */
async function fromInbounds(link: Link, take: (row: Row) => void): Promise<void> {
  const inbounds = jsonElements(MAX_INBOUND_BYTES, (element) => {
    const { id, settings, clientStats } = element as { id?: unknown; settings?: unknown; clientStats?: unknown };
    if (typeof id !== 'number') return;
    const used = new Map(Stats.parse(clientStats ?? []).map(({ email, up, down }) => [email, { up, down }]));
    for (const entry of listOf(Entry, MAX_CLIENTS).parse(clientsIn(settings)))
      take({ ...entry, traffic: used.get(entry.email) ?? { up: 0, down: 0 }, inboundIds: [id] });
  });
  await streamCall(link, { path: '/panel/api/inbounds/list' }, LIMITS, inbounds.push);
  inbounds.end();
}

function clientsIn(settings: unknown): unknown {
  try {
    const section: unknown = typeof settings === 'string' ? JSON.parse(settings) : settings;
    return (section as { clients?: unknown } | null)?.clients ?? [];
  } catch {
    return [];
  }
}
