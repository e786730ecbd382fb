import type { JsonObject, LeftOut } from '../source.ts';
import { isBlank, isJsonObject, listOf, objectOf, textOf, without, withoutBlank } from '../json-access.ts';
import { refuse, type Report } from '../rules/finding.ts';
import { listOfEach, shape, type FieldRule } from '../rules/field-rules.ts';
import { withoutEmptyPackets } from './header-custom.ts';
import { TCP_MASKS, UDP_MASKS } from './masks.ts';
import { quicParams } from './quic-params.ts';
import { hasCompleteProfiles } from './xmc.ts';

function maskOf(known: ReadonlyMap<string, FieldRule>): FieldRule {
  const names = [...known.keys()].join(', ');
  return shape({}, (mask, where, report) => {
    const rule = known.get(textOf(mask['type']));
    if (rule === undefined) refuse(report, `${where}.type`, 'config.oneOf', { names });
    else rule(mask['settings'] ?? {}, `${where}.settings`, report);
  });
}

export const finalmaskRules: FieldRule = shape({
  tcp: listOfEach(maskOf(TCP_MASKS)),
  udp: listOfEach(maskOf(UDP_MASKS)),
  quicParams,
});

/** A masked TCP connection is not the type REALITY casts it to: the first client kills the core. */
export function checkFinalmaskWithReality(stream: JsonObject, where: string, report: Report): void {
  if (hasTcpMasks(stream) && textOf(stream['security']).toLowerCase() === 'reality')
    refuse(report, `${where}.finalmask.tcp`, 'config.maskWithReality');
}

function hasTcpMasks(stream: JsonObject): boolean {
  return listOf(objectOf(stream['finalmask'])['tcp']).length > 0;
}

/** Drops empty parts, and the whole object when nothing is left; removes empty packets beside `rand`. */
export function normaliseFinalmask(stream: JsonObject): JsonObject {
  const finalmask = stream['finalmask'];
  if (finalmask === undefined) return stream;
  if (!isBlank(finalmask) && !isJsonObject(finalmask)) return stream;
  const kept = withoutBlank(objectOf(withoutEmptyPackets(finalmask)), 'tcp', 'udp', 'quicParams');
  return isBlank(kept) ? without(stream, 'finalmask') : { ...stream, finalmask: kept };
}

/** For the generated config: drops what would kill or stop the core, and tells the operator. */
export function survivableFinalmask(stream: JsonObject, tag: string, leftOut: LeftOut[]): JsonObject {
  if (!hasTcpMasks(stream)) return stream;
  if (textOf(stream['security']).toLowerCase() === 'reality') {
    const reason = 'finalmask is not supported with REALITY security; remove it from the inbound.';
    leftOut.push({ kind: 'mask', name: tag, reason });
    return without(stream, 'finalmask');
  }
  const finalmask = objectOf(stream['finalmask']);
  const masks = listOf(finalmask['tcp']);
  const tcp = masks.filter((mask) => !isJsonObject(mask) || mask['type'] !== 'xmc' || hasCompleteProfiles(mask));
  if (tcp.length === masks.length) return stream;
  const reason = 'the xmc mask has no complete Minecraft profile; add one or remove the mask.';
  leftOut.push({ kind: 'mask', name: tag, reason });
  return normaliseFinalmask({ ...stream, finalmask: { ...finalmask, tcp } });
}
