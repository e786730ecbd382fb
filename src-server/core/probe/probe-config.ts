import { objectOf, textOf } from '../config/json-access.ts';
import { chainTagsOf, healedOutbound } from '../config/template/outbound-section.ts';
import type { JsonObject } from '../config/source.ts';

/** One outbound and the loopback port that leads into it. */
export interface ProbeLane {
  tag: string;
  port: number;
}

/**
 * Config of the core that tests outbounds: one socks inbound per tested outbound, nothing of the template but the
 * outbounds that are tested or dialled through. It has no API, no metrics, and never touches kernel devices.
 */
export function probeConfig(lanes: readonly ProbeLane[], outbounds: readonly JsonObject[]): JsonObject {
  return {
    // At this level the core logs which connection used which outbound, and why it failed.
    log: { loglevel: 'info', access: 'none' },
    inbounds: lanes.map(({ port }, index) => ({
      tag: `test-in-${index}`,
      listen: '127.0.0.1',
      port,
      protocol: 'socks',
      settings: { auth: 'noauth', udp: false },
    })),
    outbounds: outbounds.map(inUserSpace),
    routing: {
      domainStrategy: 'AsIs',
      rules: lanes.map(({ tag }, index) => ({ type: 'field', inboundTag: [`test-in-${index}`], outboundTag: tag })),
    },
    policy: {},
    stats: {},
  };
}

/** The tested outbounds and what they dial through, each tag once; the first of a tag counts. */
export function neededOutbounds(tested: readonly string[], known: readonly JsonObject[]): JsonObject[] {
  const byTag = new Map<string, JsonObject>();
  for (const outbound of known) {
    const tag = textOf(outbound['tag']);
    if (tag !== '' && !byTag.has(tag)) byTag.set(tag, outbound);
  }
  const needed = new Set(tested);
  for (const tag of needed) {
    const outbound = byTag.get(tag);
    if (outbound !== undefined) for (const next of chainTagsOf(outbound)) needed.add(next);
  }
  return [...needed].map((tag) => byTag.get(tag)).filter((outbound) => outbound !== undefined);
}

function inUserSpace(outbound: JsonObject): JsonObject {
  const healed = healedOutbound(outbound);
  if (textOf(outbound['protocol']).toLowerCase() !== 'wireguard') return healed;
  return { ...healed, settings: { ...objectOf(outbound['settings']), noKernelTun: true } };
}
