import type { JsonObject } from '../config/source.ts';
import type { LiveChange } from './compare/diff.ts';
import { objectsOf, textOf, withFirstUser } from './compare/inbound-parts.ts';

/** Whether the core has to test a change before it is made. */
export function needsTest(change: LiveChange): boolean {
  return change.addInbounds.length > 0 || change.addOutbounds.length > 0 || change.routing !== null;
}

/** Enough for the core to build one inbound; the panel's other inbounds and rules cannot make it invalid. */
export function aloneConfig(inbound: JsonObject): JsonObject {
  return { log: { loglevel: 'none' }, inbounds: [inbound], outbounds: [{ protocol: 'freedom' }] };
}

/** The whole config without the users of unchanged inbounds: tested in milliseconds whatever their number. */
export function thinConfig(config: JsonObject, change: LiveChange): JsonObject {
  const added = new Set(change.addInbounds.map(({ tag }) => textOf(tag)));
  const inbounds = objectsOf(config.inbounds).map((inbound) => {
    return added.has(textOf(inbound.tag)) ? inbound : withFirstUser(inbound);
  });
  return { ...config, inbounds };
}

/** `config` reduced to the inbounds and outbounds that its tested version without users kept. */
export function withoutSame(config: JsonObject, tested: JsonObject): JsonObject {
  const tags = new Set(objectsOf(tested.inbounds).map(({ tag }) => textOf(tag)));
  return {
    ...config,
    inbounds: objectsOf(config.inbounds).filter(({ tag }) => tags.has(textOf(tag))),
    outbounds: tested.outbounds ?? [],
  };
}
