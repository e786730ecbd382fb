import type { CoreConfigSource } from '../config/source.ts';
import { isOwnTag } from '../stats/read-counters.ts';
import { isFree } from './free-port.ts';
import type { Session } from './session.ts';

/** Loopback ports that the running core occupies for the panel: API over TCP, metrics, bridges. None without a core. */
export function reservedPorts(session: Session | null): { port: number; use: string }[] {
  if (!session) return [];
  const { endpoint } = session.process;
  const metrics = /:(\d+)$/.exec(session.metricsListen)?.[1];
  return [
    ...(endpoint.kind === 'tcp' ? [{ port: endpoint.port, use: 'core API' }] : []),
    ...(metrics === undefined ? [] : [{ port: Number(metrics), use: 'core metrics' }]),
    ...[...session.snapshot.inbounds.values()].flatMap(({ tag, frame }) =>
      isOwnTag(tag) && typeof frame.port === 'number' ? [{ port: frame.port, use: tag }] : [],
    ),
  ];
}

/** Loopback port of one of the panel's own bridges; null when it does not run. */
export function bridgePort(session: Session | null, tag: string): number | null {
  const port = isOwnTag(tag) ? session?.snapshot.inbounds.get(tag)?.frame.port : undefined;
  return typeof port === 'number' ? port : null;
}

/** Ports tried for a bridge before it is left to the core to say that it cannot listen. */
const TRIES = 100;

/** The source with each bridge on the port where it runs, else on the first one that no program on this machine uses. */
export async function withBridgesOnFreePorts(
  source: CoreConfigSource,
  session: Session | null,
): Promise<CoreConfigSource> {
  const bridges = await Promise.all(
    (source.bridges ?? []).map(async (bridge) => ({
      ...bridge,
      firstPort: bridgePort(session, bridge.tag) ?? (await firstFree(bridge.firstPort)),
    })),
  );
  return { ...source, bridges };
}

async function firstFree(first: number): Promise<number> {
  for (let port = first; port < first + TRIES; port += 1) if (await isFree('127.0.0.1', port)) return port;
  return first;
}
