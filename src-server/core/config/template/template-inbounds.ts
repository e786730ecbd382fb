import type { Json, JsonObject } from '../source.ts';
import { isJsonObject, listOf, objectOf, textOf, without } from '../json-access.ts';
import { transportsOf } from '../inbound/inbound-traits.ts';
import { coversPort } from '../inbound/listen-address.ts';
import { protocolOf } from '../protocols/protocols.ts';
import { normaliseInbound } from '../normal-form.ts';
import { normaliseStream } from '../inbound/stream-settings.ts';
import { problem, type Problem } from '../rules/finding.ts';
import { apiTagOf } from './api-section.ts';
import type { Notes } from './routing-section.ts';

/**
 * The inbounds written into the template by hand, before those of the panel. Only what would panic or stop the core is
 * healed; the rest is the operator's own and was tested when the template was saved.
 */
export function templateInbounds(config: JsonObject, notes: Notes): JsonObject[] {
  const tags = new Set<string>();
  return listOf(config['inbounds']).flatMap((value, index) => {
    const name = (isJsonObject(value) && textOf(value['tag'])) || `template inbound ${index + 1}`;
    const why = inboundProblem(value, tags);
    if (why !== null || !isJsonObject(value)) {
      notes.leftOut.push({ kind: 'inbound', name, reason: `Inbound ${name} does not run: ${why?.text ?? ''}` });
      return [];
    }
    tags.add(textOf(value['tag']));
    const stream = value['streamSettings'];
    const listening = value['listen'] === '' ? without(value, 'listen') : value;
    return [isJsonObject(stream) ? { ...listening, streamSettings: normaliseStream(stream) } : listening];
  });
}

/** Where an inbound of the template listens. */
export interface TemplateListener {
  /** Its position in the template. */
  index: number;
  tag: string;
  listen: string;
  transports: ('tcp' | 'udp')[];
  /** A port, a list like `443,1000-2000`, or absent. */
  port: Json | undefined;
  /** Whether it listens on this port. */
  covers: (port: number) => boolean;
}

/** The listeners of the template's own inbounds, without the tunnel to the API, which does not run. */
export function templateListeners(template: JsonObject): TemplateListener[] {
  const apiTag = apiTagOf(template);
  return listOf(template['inbounds']).flatMap((inbound, index) => {
    if (!isJsonObject(inbound)) return [];
    const { tag, listen, port, protocol, settings, streamSettings } = inbound;
    if (tag === apiTag) return [];
    const shape = normaliseInbound({
      protocol: textOf(protocol),
      listen: textOf(listen),
      port: 0,
      settings: objectOf(settings),
      streamSettings: objectOf(streamSettings),
      sniffing: null,
    });
    const covers = (wanted: number): boolean => coversPort(port, wanted);
    return [{ index, tag: textOf(tag), listen: shape.listen, transports: transportsOf(shape), port, covers }];
  });
}

/** Why the core would refuse a hand-written inbound; null when no reason is known. */
export function inboundProblem(value: Json, tags: ReadonlySet<string>): Problem | null {
  if (!isJsonObject(value)) return problem('cannotRun.notObject');
  const tag = textOf(value['tag']);
  if (tag !== '' && tags.has(tag)) return problem('cannotRun.inboundTag');
  const protocol = textOf(value['protocol']);
  return protocolOf(protocol) === null ? problem('cannotRun.inboundProtocol', { protocol }) : null;
}
