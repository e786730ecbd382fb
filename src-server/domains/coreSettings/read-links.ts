import { linesOfBody, parseLink } from '../../links/parse/parse-link.ts';
import type { ParsedOutbound } from '../../links/parse/parsed-outbound.ts';

/** Enough of a refused line to recognise it. */
const SHOWN_LINK = 120;

interface ReadLinks {
  outbounds: Record<string, unknown>[];
  refused: { link: string; error: string }[];
}

/** The outbounds in a text of share links, and the lines that are none. */
export function readLinks(text: string): ReadLinks {
  const read: ReadLinks = { outbounds: [], refused: [] };
  for (const line of linesOfBody(text)) {
    const parsed = parseLink(line);
    if ('outbound' in parsed) read.outbounds.push(tagFirst(parsed.outbound));
    else read.refused.push({ link: line.slice(0, SHOWN_LINK), error: parsed.error });
  }
  return read;
}

/** Fields in the usual reading order of an outbound. */
function tagFirst({ tag, protocol, ...rest }: ParsedOutbound): Record<string, unknown> {
  return { tag, protocol, ...rest };
}
