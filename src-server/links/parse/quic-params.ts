import type { Json, JsonObject } from '../../contract/json.ts';

/** Limits outside which the core refuses to start. */
const RANGES: Readonly<Record<string, readonly [number, number]>> = {
  initStreamReceiveWindow: [0, 1e15],
  maxStreamReceiveWindow: [0, 1e15],
  initConnectionReceiveWindow: [0, 1e15],
  maxConnectionReceiveWindow: [0, 1e15],
  maxIdleTimeout: [4, 120],
  keepAlivePeriod: [2, 60],
  maxIncomingStreams: [8, 1e15],
};
const UNIT_SEC: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600 };

/** The masks in a link's `fm`, with QUIC numbers the core can start with; null when it is not an object. */
export function parseMasks(text: string): JsonObject | null {
  let masks: Json;
  try {
    masks = JSON.parse(text) as Json;
  } catch {
    return null;
  }
  if (typeof masks !== 'object' || masks === null || Array.isArray(masks)) return null;
  const quic = masks['quicParams'];
  if (typeof quic !== 'object' || quic === null || Array.isArray(quic)) return masks;
  return { ...masks, quicParams: startable(quic) };
}

function startable(quic: JsonObject): JsonObject {
  const kept: JsonObject = { ...quic };
  for (const [key, [least, most]] of Object.entries(RANGES)) {
    if (kept[key] === undefined) continue;
    const value = toNumber(kept[key]);
    if (value === null || value < 0 || value > 1e15) delete kept[key];
    // 0 means "the core's own choice".
    else kept[key] = value === 0 ? 0 : Math.min(most, Math.max(least, value));
  }
  return kept;
}

/** Numbers, numeric texts, and durations in whole seconds. */
function toNumber(value: Json): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string') return null;
  const duration = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(value.trim());
  if (duration !== null) return Math.floor(Number(duration[1]) * (UNIT_SEC[duration[2] ?? ''] ?? 1));
  return /^\d+(?:\.\d+)?$/.test(value.trim()) ? Number(value) : null;
}
