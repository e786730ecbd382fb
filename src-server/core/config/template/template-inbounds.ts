import type { Json, JsonObject } from '../source.ts';
import { isJsonObject, listOf, textOf, without } from '../json-access.ts';
import { protocolOf } from '../protocols/protocols.ts';
import { normaliseStream } from '../stream-settings.ts';
import type { Notes } from './routing-section.ts';

/**
 * The inbounds written into the template by hand, before those of the panel. Only what would panic or stop the core is
 * healed; the rest is the operator's and was tested when the template was saved.
 */
export function templateInbounds(config: JsonObject, notes: Notes): JsonObject[] {
  const tags = new Set<string>();
  return listOf(config['inbounds']).flatMap((value, index) => {
    const name = (isJsonObject(value) && textOf(value['tag'])) || `template inbound ${index + 1}`;
    const problem = inboundProblem(value, tags);
    if (problem !== null || !isJsonObject(value)) {
      notes.leftOut.push({ kind: 'inbound', name, reason: `Inbound ${name} does not run: ${problem ?? ''}` });
      return [];
    }
    tags.add(textOf(value['tag']));
    const stream = value['streamSettings'];
    const listening = value['listen'] === '' ? without(value, 'listen') : value;
    return [isJsonObject(stream) ? { ...listening, streamSettings: normaliseStream(stream) } : listening];
  });
}

/** Why the core would refuse a hand-written inbound; null when nothing is known against it. */
export function inboundProblem(value: Json, tags: ReadonlySet<string>): string | null {
  if (!isJsonObject(value)) return 'it is not an object.';
  const tag = textOf(value['tag']);
  if (tag !== '' && tags.has(tag)) return 'another inbound of the template has the same tag; rename one.';
  const protocol = textOf(value['protocol']);
  return protocolOf(protocol) === null ? `the core has no inbound protocol "${protocol}".` : null;
}
