import type { Transport } from '../../api/transport.ts';

/** Placeholder for the panel's address in the desktop window, whose own address no program can call. */
const ELSEWHERE = 'https://panel.example.com';

/** Whether this page came from the panel over HTTP, so that programs reach it at the same address. */
export const isServedPage = (): boolean => /^https?:$/.test(location.protocol);

/** The panel's address with its base path, without a `/` at the end. */
export function panelOrigin(transport: Pick<Transport, 'fileUrl'>): string {
  if (!isServedPage()) return ELSEWHERE;
  return new URL(transport.fileUrl('/'), location.href).href.replace(/\/+$/, '');
}
