import * as z from 'zod';

const IPV6 = z.ipv6();
const LABELS = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;
const HEX_PIN = /^[0-9a-f]{64}$/i;
/** Either alphabet, padded or not. */
const BASE64_PIN = /^[A-Za-z0-9+/_-]{43}=?$/;

/** `[::1]` as it is stored: `::1`. */
export const withoutBrackets = (host: string): string => /^\[(.*)\]$/.exec(host)?.[1] ?? host;

/**
 * Whether a text can be a host: an address, or a name without scheme, port and path. Where it leads is checked when it
 * is dialled.
 */
export const isHostText = (host: string): boolean => LABELS.test(host) || IPV6.safeParse(host).success;

/** Whether a text is a SHA-256: hex, colons allowed, or base64. */
export const isPinText = (text: string): boolean => hexOf(text) !== null || BASE64_PIN.test(text);

/** The digits of a hash in hex; null for anything else. */
export function hexOf(text: string): string | null {
  const digits = text.replaceAll(':', '');
  return HEX_PIN.test(digits) ? digits : null;
}
