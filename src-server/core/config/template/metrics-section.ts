import type { JsonObject } from '../source.ts';
import { isJsonObject, listOf, textOf, without } from '../json-access.ts';
import { hostAndPort, isAnyAddress, portNumber } from '../inbound/listen-address.ts';
import type { Notes } from './routing-section.ts';

/**
 * The metrics listener is the only one that fails when its port is taken, and then the core ends: a listener without a
 * usable port, or on the port of an inbound, is left out.
 */
export function withMetrics(config: JsonObject, notes: Notes): JsonObject {
  const metrics = config['metrics'];
  if (!isJsonObject(metrics)) return config;
  const listen = textOf(metrics['listen']);
  const problem = listen === '' ? null : listenProblem(listen, config);
  if (problem !== null) notes.warnings.push(`The metrics listener ${listen} is left out: ${problem}`);
  const kept = problem === null ? metrics : without(metrics, 'listen');
  if (textOf(kept['tag']) !== '' || textOf(kept['listen']) !== '') return { ...config, metrics: kept };
  return without(config, 'metrics');
}

function listenProblem(listen: string, config: JsonObject): string | null {
  const place = hostAndPort(listen);
  const port = portNumber(place?.port ?? '');
  if (place === null || port === null) return 'it must be an address with a port, such as 127.0.0.1:11111.';
  const taken = listOf(config['inbounds'])
    .filter(isJsonObject)
    .find((inbound) => inbound['port'] === port && overlaps(textOf(inbound['listen']), place.host));
  return taken === undefined ? null : `the inbound ${textOf(taken['tag'])} has the same port; change one of the two.`;
}

function overlaps(one: string, other: string): boolean {
  return isAnyAddress(one) || isAnyAddress(other) || one === other;
}
