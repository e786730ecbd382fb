import { connect } from 'node:net';
import type { JsonObject } from '../config/source.ts';
import { objectOf, textOf } from '../config/json-access.ts';
import { endpointsOf, endpointText, type Endpoint } from './probe-target.ts';
import type { EndpointResult, OutboundResult } from './probe-result.ts';

const DIAL_MS = 5_000;

/** Dials every endpoint of an outbound; the fastest counts. */
export async function tcpProbe(outbound: JsonObject, signal?: AbortSignal): Promise<OutboundResult> {
  const tag = textOf(outbound['tag']);
  const failed = (error: string): OutboundResult => ({ tag, success: false, delay: 0, mode: 'tcp', error });
  const protocol = textOf(objectOf(outbound)['protocol']).toLowerCase();
  if (['freedom', 'direct', 'blackhole', 'block'].includes(protocol) || tag === 'blocked')
    return failed('Outbound has no testable endpoint');
  const targets = endpointsOf(outbound);
  if (targets.length === 0) return failed('No testable endpoint');
  const endpoints = await Promise.all(targets.map((target) => dial(target, signal)));
  const delays = endpoints.filter(({ success }) => success).map(({ delay }) => delay);
  if (delays.length > 0) return { tag, success: true, delay: Math.min(...delays), mode: 'tcp', endpoints };
  return { ...failed(endpoints[0]?.error ?? 'no answer'), endpoints };
}

function dial(target: Endpoint, signal?: AbortSignal): Promise<EndpointResult> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const socket = connect({ host: target.host, port: target.port, autoSelectFamily: true });
    const finish = (error: string): void => {
      socket.destroy();
      signal?.removeEventListener('abort', giveUp);
      const result = {
        address: endpointText(target),
        success: error === '',
        delay: Math.max(1, Math.round(performance.now() - startedAt)),
      };
      resolve(error === '' ? result : { ...result, error });
    };
    const giveUp = (): void => finish('given up');
    signal?.addEventListener('abort', giveUp, { once: true });
    if (signal?.aborted === true) giveUp();
    // Not the socket's setTimeout: that measures idleness and starts again with every address it tries.
    const timer = setTimeout(() => finish('i/o timeout'), DIAL_MS);
    socket.once('close', () => clearTimeout(timer));
    socket.once('connect', () => finish(''));
    socket.once('error', (error: NodeJS.ErrnoException) => finish(error.code ?? error.message));
  });
}
