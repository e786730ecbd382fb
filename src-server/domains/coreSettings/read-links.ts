import { linesOfBody, parseLink } from '../../links/parse/parse-link.ts';
import type { ParsedOutbound } from '../../links/parse/parsed-outbound.ts';

/** Enough of a refused line to recognise it by. */
const SHOWN_LINK = 120;

interface ReadLinks {
  outbounds: Record<string, unknown>[];
  refused: { link: string; error: string }[];
}

/** The outbounds that a text of share links describes, and the lines that describe none. */
export function readLinks(text: string): ReadLinks {
  const read: ReadLinks = { outbounds: [], refused: [] };
  for (const line of linesOfBody(text)) {
    const parsed = parseLink(line);
    if ('outbound' in parsed) read.outbounds.push(tagFirst(parsed.outbound));
    else read.refused.push({ link: line.slice(0, SHOWN_LINK), error: parsed.error });
  }
  return read;
}

/** In the order in which a person reads an outbound. */
function tagFirst({ tag, protocol, ...rest }: ParsedOutbound): Record<string, unknown> {
  return { tag, protocol, ...rest };
}
