import { byteSizeText } from './byte-size.ts';
import { jalaliDate } from './jalali.ts';

/** What a remark can show of a client. Sizes in bytes, times in ms since the epoch. */
export interface RemarkClient {
  email: string;
  subId: string;
  uuid: string;
  /** 0 = none. */
  tgId: number;
  comment: string;
  enable: boolean;
  upBytes: number;
  downBytes: number;
  /** 0 = no quota. */
  quotaBytes: number;
  /** 0 = never; negative = that duration, from first use. */
  expiresAtMs: number;
  /** 0 = unknown. */
  createdAtMs: number;
  resetDays: number;
}

/** What a remark can show of the way to the inbound. */
export interface RemarkEndpoint {
  protocol: string;
  /** As stored; `tcp` when nothing is stored. */
  network: string;
  inboundRemark: string;
  /** Name of the host or external proxy; empty for the inbound itself. */
  remark: string;
  /** The inbound's own, whatever a host changes. */
  inboundSecurity: string;
}

export interface RemarkFacts {
  client: RemarkClient;
  endpoint: RemarkEndpoint;
  nowMs: number;
  /** IANA name of the panel's time zone. */
  timeZone: string;
}

const DAY_MS = 86_400_000;
const ENDLESS = '∞';
const EMOJI = { active: '✅', expired: '⏳', depleted: '🚫', disabled: '🚫' } as const;

/** Value of a token; empty for unknown ones. */
export function tokenValue(token: string, facts: RemarkFacts): string {
  return Object.hasOwn(VALUES, token) ? (VALUES[token]?.(facts) ?? '') : '';
}

/** An unlimited amount shows nothing. */
export const isReal = (token: string, value: string): boolean =>
  value !== '' && !(value === ENDLESS && ['TRAFFIC_LEFT', 'TRAFFIC_TOTAL', 'DAYS_LEFT', 'TIME_LEFT'].includes(token));

const used = ({ client }: RemarkFacts): number => client.upBytes + client.downBytes;
const left = (facts: RemarkFacts): number => Math.max(0, facts.client.quotaBytes - used(facts));
/** Ms until the expiry, or the whole term before first use; null = never. */
function remainingMs({ client: { expiresAtMs }, nowMs }: RemarkFacts): number | null {
  if (expiresAtMs === 0) return null;
  return expiresAtMs < 0 ? -expiresAtMs : Math.max(0, expiresAtMs - nowMs);
}

function status(facts: RemarkFacts): keyof typeof EMOJI {
  const { enable, expiresAtMs, quotaBytes } = facts.client;
  if (!enable) return 'disabled';
  if (expiresAtMs > 0 && expiresAtMs <= facts.nowMs) return 'expired';
  return quotaBytes > 0 && used(facts) >= quotaBytes ? 'depleted' : 'active';
}

function timeLeft(ms: number): string {
  const days = Math.floor(ms / DAY_MS);
  const hours = Math.floor((ms % DAY_MS) / 3_600_000);
  const minutes = Math.floor((ms % 3_600_000) / 60_000);
  if (days > 0) return `${days}d ${hours}h ${minutes}m`;
  return hours > 0 ? `${hours}h ${minutes}m` : `${minutes}m`;
}

/** U+FF05: the ASCII sign becomes `%25` in a link, and a popular app drops such names. */
function percentage(facts: RemarkFacts): string {
  const { quotaBytes } = facts.client;
  return quotaBytes === 0 ? '' : `${Math.min(100, (used(facts) / quotaBytes) * 100).toFixed(1)}％`;
}

const isoDate = ({ client, timeZone }: RemarkFacts): string =>
  client.expiresAtMs <= 0 ? '' : new Intl.DateTimeFormat('sv-SE', { timeZone }).format(client.expiresAtMs);

const transport = ({ endpoint }: RemarkFacts): string =>
  endpoint.protocol.startsWith('hysteria') ? 'quic' : endpoint.network;

const VALUES: Readonly<Record<string, (facts: RemarkFacts) => string>> = {
  EMAIL: ({ client }) => client.email,
  USERNAME: ({ client }) => client.email,
  INBOUND: ({ endpoint }) => endpoint.inboundRemark,
  HOST: ({ endpoint }) => endpoint.remark,
  ID: ({ client }) => client.uuid,
  SHORT_ID: ({ client }) => client.uuid.slice(0, 8),
  TELEGRAM_ID: ({ client }) => (client.tgId === 0 ? '' : String(client.tgId)),
  SUB_ID: ({ client }) => client.subId,
  COMMENT: ({ client }) => client.comment,
  STATUS: status,
  STATUS_EMOJI: (facts) => EMOJI[status(facts)],
  DAYS_LEFT(facts) {
    const ms = remainingMs(facts);
    return ms === null ? ENDLESS : String(Math.floor(ms / DAY_MS));
  },
  TIME_LEFT(facts) {
    const ms = remainingMs(facts);
    return ms === null ? ENDLESS : ms === 0 ? '0' : timeLeft(ms);
  },
  EXPIRE_DATE: isoDate,
  JALALI_EXPIRE_DATE: (facts) => jalaliDate(isoDate(facts)),
  EXPIRE_UNIX: ({ client }) => String(Math.max(0, Math.floor(client.expiresAtMs / 1000))),
  CREATED_UNIX: ({ client }) => (client.createdAtMs === 0 ? '' : String(Math.floor(client.createdAtMs / 1000))),
  TRAFFIC_USED: (facts) => byteSizeText(used(facts)),
  UP: ({ client }) => byteSizeText(client.upBytes),
  DOWN: ({ client }) => byteSizeText(client.downBytes),
  TRAFFIC_LEFT: (facts) => (facts.client.quotaBytes === 0 ? ENDLESS : byteSizeText(left(facts))),
  TRAFFIC_TOTAL: ({ client }) => (client.quotaBytes === 0 ? ENDLESS : byteSizeText(client.quotaBytes)),
  TRAFFIC_USED_BYTES: (facts) => String(used(facts)),
  TRAFFIC_LEFT_BYTES: (facts) => String(left(facts)),
  TRAFFIC_TOTAL_BYTES: ({ client }) => String(client.quotaBytes),
  USAGE_PERCENTAGE: percentage,
  RESET_DAYS: ({ client }) => (client.resetDays === 0 ? '' : String(client.resetDays)),
  PROTOCOL: ({ endpoint }) => endpoint.protocol.toUpperCase(),
  TRANSPORT: transport,
  SECURITY: ({ endpoint }) => endpoint.inboundSecurity.toUpperCase(),
};
