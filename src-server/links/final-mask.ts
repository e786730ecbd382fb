import type { Json, JsonObject } from '../contract/json.ts';
import { isEmptyValue, isObject, listOf, objectOf, textOf } from './json-values.ts';

const LINK_MASKS = {
  tcp: ['header-custom', 'fragment', 'sudoku', 'xmc'],
  udp: ['salamander', 'mkcp-legacy', 'xdns', 'xicmp', 'noise', 'header-custom', 'realm'],
} as const;

/** Adds one set of masks to another: lists are appended, `quicParams` only where there were none, other keys replace. */
export function mergeMasks(base: JsonObject, more: JsonObject): JsonObject {
  const merged: JsonObject = { ...base };
  for (const [key, value] of Object.entries(more)) {
    if (key === 'tcp' || key === 'udp') merged[key] = [...listOf(merged[key]), ...listOf(value)];
    else if (key !== 'quicParams' || merged[key] === undefined) merged[key] = value;
  }
  return merged;
}

/** Masks that a link can carry: known kinds, each reduced to its type and settings. Empty when none is left. */
export function linkMasks(masks: JsonObject): JsonObject {
  const reduced: JsonObject = {};
  for (const side of ['tcp', 'udp'] as const) {
    const known: readonly string[] = LINK_MASKS[side];
    const entries = listOf(masks[side])
      .filter(isObject)
      .filter((mask) => known.includes(textOf(mask['type'])))
      .map((mask): Json => {
        const { type, settings } = mask;
        return isEmptyValue(settings) ? { type: type ?? '' } : { type: type ?? '', settings: settings ?? null };
      });
    if (entries.length > 0) reduced[side] = entries;
  }
  if (!isEmptyValue(objectOf(masks['quicParams']))) reduced['quicParams'] = objectOf(masks['quicParams']);
  return reduced;
}

/** Settings of UDP masks of one kind, in order. */
export function udpMasks(masks: JsonObject, type: string): JsonObject[] {
  return listOf(masks['udp'])
    .filter(isObject)
    .filter((mask) => mask['type'] === type)
    .map((mask) => objectOf(mask['settings']));
}

/** Password of the first salamander mask that has one. */
export function salamanderPassword(masks: JsonObject): string {
  return (
    udpMasks(masks, 'salamander')
      .map(({ password }) => textOf(password))
      .find((password) => password !== '') ?? ''
  );
}

/** Ports that a client hops over, such as `30000-31000`; empty = none. */
export const hopPorts = (masks: JsonObject): string =>
  textOf(objectOf(objectOf(masks['quicParams'])['udpHop'])['ports']).trim();
