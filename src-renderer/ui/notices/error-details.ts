import { CallError } from '../../api/transport.ts';

/** What support needs to know about a failure: what, code, reference in the log, when. One fact a line. */
export function errorDetails(error: Error, atMs: number): string {
  const { kind, code, params } =
    error instanceof CallError ? error : { kind: error.name, code: '', params: {} as CallError['params'] };
  const facts: [string, string][] = [
    ['message', error.message],
    ['kind', kind],
    ['code', code],
    // Names the request in the log.
    ['reference', String(params['reference'] ?? '')],
    ['time', new Date(atMs).toISOString()],
    ['page', location.pathname],
  ];
  return facts
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}
