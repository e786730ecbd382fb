import { byteSizeText } from '../../links/remark/byte-size.ts';

const DAY_MS = 86_400_000;

interface SubscriberState {
  email: string;
  enable: 0 | 1;
  quotaBytes: number;
  expiresAtMs: number;
  upBytes: number;
  downBytes: number;
  lastOnlineAtMs: number;
}

/** Totals of all clients of one subscription. */
export interface UsageTotals {
  upBytes: number;
  downBytes: number;
  /** 0 = unlimited: one client without a quota makes the total unlimited. */
  quotaBytes: number;
  /** 0 = never, or the clients differ. */
  expiresAtMs: number;
}

/** A term that starts with the first traffic is counted from now. */
export function totalsOf(clients: readonly SubscriberState[], nowMs: number): UsageTotals {
  const expiries = new Set(clients.map(({ expiresAtMs: at }) => (at < 0 ? nowMs - at : at)));
  const sum = (pick: (client: SubscriberState) => number) => clients.reduce((total, client) => total + pick(client), 0);
  return {
    upBytes: sum(({ upBytes }) => upBytes),
    downBytes: sum(({ downBytes }) => downBytes),
    quotaBytes: clients.some(({ quotaBytes }) => quotaBytes === 0) ? 0 : sum(({ quotaBytes }) => quotaBytes),
    expiresAtMs: expiries.size === 1 ? [...expiries][0]! : 0,
  };
}

/** How a subscription expires. */
export interface TimeEnd {
  /** It is renewed at the expiry. */
  isRenewed: boolean;
  /** Days from the first connection; 0 = already started, or no expiry. */
  daysFromFirstUse: number;
  /** Its clients do not expire at the same time. */
  differs: boolean;
  /** The next of their dates; 0 = none is ahead. */
  nextMs: number;
}

export function timeEndOf(
  clients: readonly { expiresAtMs: number; resetDays: number; resetDay: number }[],
  nowMs: number,
): TimeEnd {
  const [expiresAtMs = 0, ...others] = new Set(clients.map(({ expiresAtMs: at }) => at));
  const isWaiting = others.length === 0 && expiresAtMs < 0;
  const ahead = [expiresAtMs, ...others].filter((at) => at > nowMs);
  return {
    isRenewed: clients.every(({ resetDays, resetDay }) => resetDays > 0 || resetDay > 0),
    daysFromFirstUse: isWaiting ? Math.max(1, Math.round(-expiresAtMs / DAY_MS)) : 0,
    differs: others.length > 0,
    nextMs: ahead.length === 0 ? 0 : Math.min(...ahead),
  };
}

/** Public addresses of a subscription; a disabled format has none. */
export interface SubscriptionAddresses {
  subUrl: string;
  subJsonUrl: string;
  subYamlUrl: string;
}

/** Account data for the subscriber, returned by `?format=info`. */
export interface InfoView extends SubscriptionAddresses {
  sId: string;
  enabled: boolean;
  isOnline: boolean;
  download: string;
  upload: string;
  total: string;
  used: string;
  remained: string;
  /** Unix seconds, 0 = never. */
  expire: number;
  /** Ms, 0 = never. */
  lastOnline: number;
  downloadByte: number;
  uploadByte: number;
  totalByte: number;
  subTitle: string;
  subSupportUrl: string;
  emails: string[];
  datepicker: string;
  announce: string;
}

export function presentInfo(
  clients: readonly SubscriberState[],
  facts: SubscriptionAddresses & {
    subId: string;
    isOnline: boolean;
    nowMs: number;
    title: string;
    supportUrl: string;
    announce: string;
    datepicker: string;
  },
): InfoView {
  const { upBytes, downBytes, quotaBytes, expiresAtMs } = totalsOf(clients, facts.nowMs);
  return {
    sId: facts.subId,
    enabled: clients.some(({ enable }) => enable === 1),
    isOnline: facts.isOnline,
    download: byteSizeText(downBytes),
    upload: byteSizeText(upBytes),
    total: quotaBytes === 0 ? '∞' : byteSizeText(quotaBytes),
    used: byteSizeText(upBytes + downBytes),
    remained: quotaBytes === 0 ? '' : byteSizeText(Math.max(0, quotaBytes - upBytes - downBytes)),
    expire: Math.floor(expiresAtMs / 1000),
    lastOnline: Math.max(...clients.map(({ lastOnlineAtMs }) => lastOnlineAtMs)),
    downloadByte: downBytes,
    uploadByte: upBytes,
    totalByte: quotaBytes,
    subUrl: facts.subUrl,
    subJsonUrl: facts.subJsonUrl,
    subYamlUrl: facts.subYamlUrl,
    subTitle: facts.title,
    subSupportUrl: facts.supportUrl,
    emails: [...new Set(clients.map(({ email }) => email))],
    datepicker: facts.datepicker,
    announce: facts.announce,
  };
}

interface Identity {
  email: string;
  uuid: string;
  subId: string;
  tgId: number;
}

/** Fills in the identity tokens of the operator's texts; every other token is left alone. */
export function fillIdentity(template: string, client: Identity, encode = (text: string) => text): string {
  const values: Readonly<Record<string, string>> = {
    EMAIL: client.email,
    ID: client.uuid,
    SHORT_ID: client.uuid.slice(0, 8),
    SUB_ID: client.subId,
    TELEGRAM_ID: client.tgId === 0 ? '' : String(client.tgId),
  };
  return template
    .replaceAll(/\{\{(EMAIL|ID|SHORT_ID|SUB_ID|TELEGRAM_ID)\}\}/g, (_token, name: string) => encode(values[name] ?? ''))
    .trim();
}

/** HTML form encoding: space is `+`, everything but letters, digits and `-_.~` is escaped. */
export function formEncoded(text: string): string {
  return encodeURIComponent(text)
    .replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}
