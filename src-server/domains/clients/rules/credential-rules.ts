import { randomBytes, randomUUID } from 'node:crypto';
import type { JsonObject } from '../../../contract/json.ts';
import { clientFieldOf, credentialKeyBytes } from '../../../core/config/inbound/inbound-rules.ts';
import { hysteriaIdentity, vlessIdentity } from '../../../core/config/inbound/vless-identity.ts';

/** The parts of an inbound that decide a client's credentials on it. */
export interface InboundFacts {
  id: number;
  protocol: string;
  settings: JsonObject;
  streamSettings: JsonObject | null;
}

/** The record's credential that a protocol's clients carry; null when the protocol has no clients. */
export function credentialOf(protocol: string): 'uuid' | 'password' | 'auth' | null {
  const field = clientFieldOf(protocol);
  return field === 'id' ? 'uuid' : field;
}

/** Exact key length in bytes that the inbound's cipher requires; null when any password will do. */
export function keyBytesOf({ protocol, settings }: Pick<InboundFacts, 'protocol' | 'settings'>): number | null {
  return protocol === 'shadowsocks' ? credentialKeyBytes(settings) : null;
}

/** Whether a password is base64 (standard alphabet, padded) of exactly this many bytes; any password fits `null`. */
export function fitsKey(password: string, keyBytes: number | null): boolean {
  if (keyBytes === null) return password !== '';
  const key = Buffer.from(password, 'base64');
  return key.length === keyBytes && key.toString('base64') === password;
}

export const newUuid = (): string => randomUUID();
/** 128 random bits as 32 hex digits: passwords, auth values, subscription ids. */
export const newSecret = (): string => randomBytes(16).toString('hex');
/** A password for an inbound: a key of the cipher's length where it requires one. */
export const newPassword = (keyBytes: number | null): string =>
  keyBytes === null ? newSecret() : randomBytes(keyBytes).toString('base64');

/** Lower case with dashes, like every stored UUID; empty stays empty. */
export function canonicalUuid(text: string): string {
  const hex = text.replaceAll('-', '').toLowerCase();
  if (hex === '') return '';
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/**
 * What the core compares when it looks a credential up: two clients of an inbound with the same identity are one user
 * to it, and it silently counts one's traffic for the other.
 */
export function identityOf(protocol: string, credential: string): string {
  if (protocol === 'vless') return vlessIdentity(credential) ?? credential;
  return credentialOf(protocol) === 'auth' ? hysteriaIdentity(credential) : credential;
}

export interface Credentials {
  uuid: string;
  password: string;
  auth: string;
}

/** One attachment, existing or wanted. */
export interface PasswordLink {
  inbound: InboundFacts;
  /** A key only for this attachment, because the record's password does not fit its cipher; empty = the record's. */
  passwordOverride: string;
}

/**
 * Completes what a client needs on its inbounds and keeps what fits: empty credentials are generated, and a password
 * that fits no cipher of its shadowsocks-2022 inbounds is replaced, in the record when nothing else uses it, otherwise
 * for that attachment only. So trojan together with shadowsocks 2022, or two key lengths, work for one client.
 * @param links all attachments after the change, by inbound id.
 */
export function completeCredentials<L extends PasswordLink>(
  given: Credentials,
  links: readonly L[],
): { credentials: Credentials; links: L[] } {
  const needed = new Set(links.map(({ inbound }) => credentialOf(inbound.protocol)));
  const credentials = {
    uuid: given.uuid === '' && needed.has('uuid') ? newUuid() : given.uuid,
    password: given.password,
    auth: given.auth === '' && needed.has('auth') ? newSecret() : given.auth,
  };
  if (!needed.has('password')) return { credentials, links: links.map((link) => ({ ...link, passwordOverride: '' })) };

  const passwordLinks = links.filter(({ inbound }) => credentialOf(inbound.protocol) === 'password');
  const keySizes = passwordLinks.map(({ inbound }) => keyBytesOf(inbound));
  if (credentials.password === '') credentials.password = newPassword(keySizes.find((size) => size !== null) ?? null);
  else if (!keySizes.some((size) => fitsKey(credentials.password, size))) {
    const kept = passwordLinks.find(({ inbound, passwordOverride }) => fitsKey(passwordOverride, keyBytesOf(inbound)));
    credentials.password = kept?.passwordOverride ?? newPassword(keySizes[0] ?? null);
  }
  return {
    credentials,
    links: links.map((link) => {
      if (credentialOf(link.inbound.protocol) !== 'password') return { ...link, passwordOverride: '' };
      const keyBytes = keyBytesOf(link.inbound);
      if (fitsKey(credentials.password, keyBytes)) return { ...link, passwordOverride: '' };
      const keeps = fitsKey(link.passwordOverride, keyBytes);
      return { ...link, passwordOverride: keeps ? link.passwordOverride : newPassword(keyBytes) };
    }),
  };
}

/** The password a client uses on this attachment. */
export function effectivePassword(credentials: Credentials, link: { passwordOverride: string }): string {
  return link.passwordOverride === '' ? credentials.password : link.passwordOverride;
}
