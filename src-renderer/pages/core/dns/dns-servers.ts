import type { Json, JsonObject } from '#wire/json';
import { listAt, objectAt, readAt, textAt, type Path } from '../../../forms/draft/json.ts';

export const SERVERS: Path = ['dns', 'servers'];

/** Which address families a name is looked up for. */
export const QUERY_STRATEGIES = ['UseIP', 'UseIPv4', 'UseIPv6', 'UseSystem'];

export function serversIn(template: JsonObject): Json[] {
  return listAt(readAt(template, SERVERS));
}

/** A bare address is short for an object with only that address. */
export function asServer(server: Json | undefined): JsonObject {
  return typeof server === 'string' ? { address: server } : objectAt(server);
}

/** The shortest equivalent form. */
export function fromServer(server: JsonObject): Json {
  const [first, ...others] = Object.keys(server);
  return first === 'address' && others.length === 0 ? textAt(server['address']) : server;
}
