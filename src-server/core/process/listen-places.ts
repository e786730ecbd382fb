import { lstat, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { textOf } from '../apply/compare/inbound-parts.ts';
import { findForeignUse } from '../../net/port-probe.ts';
import { transportsOf } from '../config/inbound/inbound-traits.ts';
import { socketOf } from '../config/inbound/listen-address.ts';
import type { InboundSource, JsonObject } from '../config/source.ts';

/**
 * Deletes the sockets that an ended core left behind: it removes them only when it ends cleanly, and cannot listen on a
 * path that exists.
 * @returns those of these inbounds whose socket another program or an earlier one of them has; the core would wait for
 *   it without end
 */
export async function clearSockets(inbounds: readonly JsonObject[]): Promise<JsonObject[]> {
  const held: JsonObject[] = [];
  const wanted = new Set<string>();
  for (const inbound of inbounds) {
    const path = socketFile(inbound);
    if (path === null) continue;
    if (wanted.has(path)) {
      held.push(inbound);
      continue;
    }
    wanted.add(path);
    if (!(await isSocket(path))) continue;
    const state = await knock(path);
    if (state === 'held') held.push(inbound);
    if (state === 'stale') await rm(path, { force: true });
  }
  return held;
}

/** What the core says of a socket that is in use. */
export const socketInUse = (inbound: JsonObject): string =>
  `listen unix ${socketFile(inbound)}: bind: address already in use`;

/** The same of a port that another program has; empty where the inbound may be able to listen. */
export async function portInUse(
  inbound: Pick<InboundSource, 'listen' | 'port' | 'protocol' | 'settings' | 'streamSettings'>,
): Promise<string> {
  const { listen, port } = inbound;
  const used = await findForeignUse(listen, port, transportsOf(inbound));
  return used === null ? '' : `listen ${used} ${listen}:${port}: bind: address already in use`;
}

/** The file an inbound listens on, without its mode (`,0660`); null for a port or an abstract name. */
function socketFile({ listen }: JsonObject): string | null {
  const text = textOf(listen);
  return text.startsWith('/') ? socketOf(text) : null;
}

const isSocket = (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isSocket(),
    () => false,
  );

/** Other errors, such as a lack of permission, are for the core to report. */
function knock(path: string): Promise<'held' | 'stale' | 'unknown'> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve('held');
    });
    socket.once('error', ({ code }: NodeJS.ErrnoException) => {
      if (code === 'ECONNREFUSED') resolve('stale');
      // Its queue is full.
      else resolve(code === 'EAGAIN' ? 'held' : 'unknown');
    });
  });
}
