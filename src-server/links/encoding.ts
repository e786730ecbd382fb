import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '../contract/json.ts';

const STRICT: Readonly<Record<string, string>> = { '!': '%21', "'": '%27', '(': '%28', ')': '%29', '*': '%2A' };

/** Percent-encodes everything except `A-Z a-z 0-9 - _ . ~`; a lone surrogate becomes U+FFFD. */
export function percentEncoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll(/[!'()*]/g, (sign) => STRICT[sign]!);
}

/** The same for a query value, where a space is `+`. */
export function formEncoded(text: string): string {
  return percentEncoded(text).replaceAll('%20', '+');
}

export function toBase64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}

export function toBase64Url(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64url');
}

/** A certificate pin as 64 lower-case hex digits; text that is not a SHA-256 in hex or base64 stays unchanged. */
export function pinHex(pin: string): string {
  const hex = pin.trim().replaceAll(':', '');
  if (/^[0-9a-f]{64}$/i.test(hex)) return hex.toLowerCase();
  const base64 = pin.trim().replace(/=$/, '');
  return /^[\w+/-]{43}$/.test(base64) ? Buffer.from(base64, 'base64').toString('hex') : pin;
}

/** Path that REALITY's spider starts from: the same for one client, different between clients. */
export function spiderPath(seed: string, client: { subId: string; email: string }): string {
  const text = `${seed}|${client.subId === '' ? client.email : client.subId}`;
  return `/${createHash('sha256').update(text).digest('hex').slice(0, 15)}`;
}

export function asObject(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

export function asText(value: Json | undefined): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

/** The strings of a list; also reads a comma-separated text. */
export function asTexts(value: Json | undefined): string[] {
  const items = typeof value === 'string' ? value.split(',').map((item) => item.trim()) : value;
  return Array.isArray(items) ? items.filter((item) => typeof item === 'string').filter((item) => item !== '') : [];
}

export function asList(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}
