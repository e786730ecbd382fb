import { isOwnTag } from '../stats/read-counters.ts';
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
