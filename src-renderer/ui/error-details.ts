import { CallError } from '../api/transport.ts';

/** `unexpected error (reference 0123456789ab)`, in whatever language: the twelve digits that name the request in the log. */
const REFERENCE = /\b[0-9a-f]{12}\b/;

/** What somebody who is asked for help needs to know about a failure: what, code, reference in the log, when. One fact a line. */
export function errorDetails(error: Error, atMs: number): string {
  const [kind, code] = error instanceof CallError ? [error.kind, error.code] : [error.name, ''];
  const isUnexpected = kind === 'unexpected';
  const facts: [string, string][] = [
    ['message', error.message],
    ['kind', kind],
    ['code', code],
    ['reference', isUnexpected ? (REFERENCE.exec(error.message)?.[0] ?? '') : ''],
    ['time', new Date(atMs).toISOString()],
    ['page', location.pathname],
  ];
  return facts
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}
