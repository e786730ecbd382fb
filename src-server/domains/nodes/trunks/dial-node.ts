import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { Schedule } from '../../../contract/schedule.ts';
import { DialError } from '../../../net/dial-error.ts';
import type { GuardedDialer } from '../../../net/guarded-dialer.ts';
import { dialTrunk, TRUNK_PATH, TrunkRefused } from '../../../net/trunk/trunk-stream.ts';
import type { NodeRow } from '../stored-types.ts';
import { hostAndPort } from '../../../contract/host-and-port.ts';

/** Limit for dialling and the TLS handshake. */
export const OPEN_WITHIN_MS = 10_000;

export interface DialDeps {
  /** Dialer for a node: direct, or through an outbound of the core. */
  dialerOf: (row: NodeRow) => Pick<GuardedDialer, 'connect'>;
  schedule: Schedule;
  /** Inner TLS with the node of this row. */
  secured: (stream: Duplex, row: NodeRow) => Promise<TLSSocket>;
  signal: AbortSignal;
}

/** Dials an enrolled node, and its trunk inside. @throws {DialError} */
export async function dialNode(row: NodeRow, { dialerOf, schedule, secured, signal }: DialDeps): Promise<TLSSocket> {
  const url = new URL(
    `${row.scheme}://${hostAndPort(row.address, row.port)}${row.basePath}${TRUNK_PATH}?to=${row.trunkId}`,
  );
  try {
    const { stream } = await dialTrunk(url, {
      dialer: dialerOf(row),
      schedule,
      allowPrivate: row.allowPrivateAddress === 1,
      timeoutMs: OPEN_WITHIN_MS,
      signal,
    });
    return await secured(stream, row);
  } catch (error) {
    // Refused addresses have their own message and remedy.
    if (error instanceof DialError && error.code === 'private') throw error;
    const text =
      error instanceof TrunkRefused ? `${url.host} is not this node (${error.message})` : (error as Error).message;
    throw new DialError('connect', `the node has not connected to this panel, and is not reached: ${text}`, {
      cause: error,
    });
  }
}
