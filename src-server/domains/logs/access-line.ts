import type { AccessEntry } from './contract.ts';

/** Tags of outbounds that connect directly, and of those that block. */
export interface OutboundKinds {
  direct: ReadonlySet<string>;
  blocked: ReadonlySet<string>;
}

const DIRECT = 0;
const BLOCKED = 1;
const PROXIED = 2;
export type AccessClass = 0 | 1 | 2;

const HEAD = /^(\d{4})\/(\d\d)\/(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))? from (\S*) (?:accepted|rejected) ?(.*)$/s;
const DETOUR = /^(\S*) ?\[([^\]]*)\]/;
const ARROW = / (?:>>|->|==>) /;
const EMAIL = ' email: ';

/**
 * A line of the core's access log:
 * `2026/08/22 10:15:04.123456 from 203.0.113.9:51820 accepted tcp:example.com:443 [in >> direct] email: alice`.
 * Clients control much of it, so nothing is trusted; null when it is not an access line.
 */
export function parseAccessLine(line: string, kinds: OutboundKinds): AccessEntry | null {
  const head = HEAD.exec(line);
  if (head === null) return null;
  const [, year, month, day, hours, minutes, seconds, fraction = '', from = '', rest = ''] = head;
  // The client's request precedes it, so the last one is the core's own.
  const emailAt = ` ${rest}`.lastIndexOf(EMAIL);
  const described = emailAt < 0 ? rest : ` ${rest}`.slice(1, Math.max(1, emailAt));
  const detour = DETOUR.exec(described);
  const route = detour?.[2]?.split(ARROW) ?? [];
  const outbound = route.at(-1)?.trim() ?? '';
  return {
    DateTime: utcTime([year, month, day, hours, minutes, seconds].map(Number), fraction),
    FromAddress: from,
    ToAddress: detour?.[1] ?? /^\S*/.exec(described)?.[0] ?? '',
    Inbound: route.length > 1 ? route[0]!.trim() : '',
    Outbound: outbound,
    Email: emailAt < 0 ? '' : ` ${rest}`.slice(emailAt + EMAIL.length),
    Event: classOf(outbound, kinds),
  };
}

function classOf(outbound: string, { direct, blocked }: OutboundKinds): AccessClass {
  if (direct.has(outbound)) return DIRECT;
  return blocked.has(outbound) ? BLOCKED : PROXIED;
}

/** The core writes local time. */
function utcTime(parts: number[], fraction: string): string {
  const [year = 0, month = 1, day = 1, hours = 0, minutes = 0, seconds = 0] = parts;
  const date = new Date(year, month - 1, day, hours, minutes, seconds);
  if (Number.isNaN(date.getTime())) return '';
  return `${date.toISOString().slice(0, 19)}.${fraction.padEnd(6, '0').slice(0, 6)}Z`;
}
