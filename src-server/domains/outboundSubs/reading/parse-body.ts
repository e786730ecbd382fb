import { createHash } from 'node:crypto';
import { hostilePart } from '../../../contract/hostile-json.ts';
import type { Json, JsonObject } from '../../../contract/json.ts';
import { canonicalJson } from '../../../contract/canonical-json.ts';
import { isJsonObject, listOf, textOf } from '../../../core/config/json-access.ts';
import { linesOfBody, parseLink } from '../../../links/parse/parse-link.ts';
import type { LeftOutEntry } from '../contract.ts';
import { safeOutbound } from './safe-outbound.ts';

/** One server of a provider's list. */
export interface Entry {
  /** Its identity over refreshes: everything but its name. */
  identity: string;
  /** The provider's name for it; may be empty. */
  name: string;
  /** Without a tag. */
  outbound: JsonObject;
}

export interface ParsedBody {
  entries: Entry[];
  /** An entry that looks like a server but cannot be used. */
  leftOut: LeftOutEntry[];
}

/** Most servers used per subscription. */
export const MAX_ENTRIES = 1_000;
const MAX_LEFT_OUT = 200;
/** Outbounds in an app's complete config that are not servers. */
const NO_SERVERS = ['freedom', 'direct', 'blackhole', 'block', 'dns', 'loopback'];

/**
 * The servers in a provider's response: share links, one per line, plain or as base64; JSON of an outbound, of a list
 * of outbounds, or of complete app configs. Lines that are not links are ignored.
 */
export function parseBody(body: string): ParsedBody {
  const text = body.replace(/^\uFEFF/, '').trim();
  const found: ParsedBody = { entries: [], leftOut: [] };
  const copies = new Map<string, number>();
  const take = (name: string, given: JsonObject): void => {
    if (found.entries.length + found.leftOut.length >= MAX_ENTRIES + MAX_LEFT_OUT) return;
    const safe = safeOutbound(given);
    if ('problem' in safe) return leaveOut(found, name, safe.problem);
    if (found.entries.length >= MAX_ENTRIES) return leaveOut(found, name, `only ${MAX_ENTRIES} entries are used`);
    const identity = createHash('sha256').update(canonicalJson(safe.outbound, false)).digest('base64url').slice(0, 22);
    const copy = (copies.get(identity) ?? 0) + 1;
    copies.set(identity, copy);
    found.entries.push({ identity: copy === 1 ? identity : `${identity}#${copy}`, name, outbound: safe.outbound });
  };
  const json = jsonOf(text);
  if (json !== undefined) {
    for (const { name, outbound } of serversIn(json)) {
      const hostile = hostilePart(outbound);
      if (hostile === null) take(name, outbound);
      else leaveOut(found, name, hostile);
    }
    return found;
  }
  for (const line of linesOfBody(text)) {
    const result = parseLink(line);
    if ('outbound' in result) {
      const { tag, ...outbound } = result.outbound;
      take(tag.trim().slice(0, 256), outbound);
    } else if (/^[a-z][a-z0-9+.-]{1,20}:\/\//i.test(line))
      leaveOut(found, line.slice(0, line.indexOf(':')), result.error);
  }
  return found;
}

function leaveOut({ leftOut }: ParsedBody, tag: string, reason: string): void {
  if (leftOut.length < MAX_LEFT_OUT) leftOut.push({ tag, reason });
}

function jsonOf(text: string): Json | undefined {
  if (!text.startsWith('{') && !text.startsWith('[')) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function* serversIn(json: Json): Generator<{ name: string; outbound: JsonObject }> {
  for (const item of Array.isArray(json) ? json : [json]) {
    if (typeof item === 'string') {
      const result = parseLink(item);
      if ('outbound' in result) {
        const { tag, ...outbound } = result.outbound;
        yield { name: tag, outbound };
      }
    } else if (isJsonObject(item)) {
      if (!Array.isArray(item['outbounds'])) yield { name: textOf(item['tag']).slice(0, 256), outbound: item };
      else yield* serversOfConfig(item);
    }
  }
}

/** In a complete config, people know the name of the whole; with several servers each has its own. */
function* serversOfConfig(config: JsonObject): Generator<{ name: string; outbound: JsonObject }> {
  const servers = listOf(config['outbounds'])
    .filter(isJsonObject)
    .filter((outbound) => !NO_SERVERS.includes(textOf(outbound['protocol']).toLowerCase()));
  const remarks = textOf(config['remarks']);
  for (const outbound of servers) {
    const own = textOf(outbound['tag']);
    yield { name: (remarks !== '' && servers.length === 1 ? remarks : own).slice(0, 256), outbound };
  }
}
