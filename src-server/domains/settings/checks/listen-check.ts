import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { DomainError } from '../../../contract/domain-error.ts';
import type { Settings } from '../contract.ts';

/**
 * Listen addresses are literal IPs, and the two servers of the panel do not share an address and port.
 * @throws {DomainError} `settings.webListen`, `settings.subListen`, `settings.samePort`
 */
export function checkListen(settings: Settings): void {
  const { webListen, subListen, webPort, subPort } = settings;
  if (!isListenAddress(webListen)) throw new DomainError('settings.webListen', { value: webListen });
  if (!isListenAddress(subListen)) throw new DomainError('settings.subListen', { value: subListen });
  if (webPort === subPort && doOverlap(webListen, subListen))
    throw new DomainError('settings.samePort', { webListen, webPort, subListen, subPort });
}

/**
 * Checks that the addresses to which this save moves a server are free. Unchanged ones are not checked: a port that
 * another program took since must not block every other save.
 * @throws {DomainError} what `requireFree` throws, with the field.
 */
export async function checkPorts(
  stored: Settings,
  next: Settings,
  requireFree: (listen: string, port: number) => Promise<void>,
): Promise<void> {
  for (const [field, listen] of [
    ['webPort', 'webListen'],
    ['subPort', 'subListen'],
  ] as const) {
    const isOn = field === 'webPort' || next.subEnable;
    const isSame = next[field] === stored[field] && next[listen] === stored[listen];
    if (!isOn || (isSame && (field === 'webPort' || stored.subEnable))) continue;
    try {
      await requireFree(next[listen], next[field]);
    } catch (error) {
      throw error instanceof DomainError ? new DomainError(error.code, error.params, { field, cause: error }) : error;
    }
  }
}

function isListenAddress(text: string): boolean {
  return text === '' || (isIP(text) !== 0 && !text.includes('%'));
}

/** An unspecified address takes the port on all addresses. */
function doOverlap(a: string, b: string): boolean {
  const left = canonical(a);
  const right = canonical(b);
  return left === null || right === null || left === right;
}

/** One spelling per address; null for "all addresses". */
function canonical(text: string): string | null {
  if (text === '') return null;
  const address = ipaddr.process(text);
  return address.range() === 'unspecified' ? null : address.toString();
}
