import { CallError } from '../../api/transport.ts';

/** Details of a failure for support: message, code, reference in the log, time. One fact per line. */
export function errorDetails(error: Error, atMs: number): string {
  const { kind, code, params } =
    error instanceof CallError ? error : { kind: error.name, code: '', params: {} as CallError['params'] };
  const facts: [string, string][] = [
    ['message', error.message],
    ['kind', kind],
    ['code', code],
    // Identifies the request in the log.
    ['reference', String(params['reference'] ?? '')],
    ['time', new Date(atMs).toISOString()],
    ['page', location.pathname],
  ];
  return facts
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}
