/**
 * Why a connection failed, without what helps only programmers: Node's advice about its own options, and where in
 * OpenSSL's sources a check failed.
 */
export function plainReason(error: Error): string {
  if (error instanceof AggregateError) return error.errors.map((one: Error) => plainReason(one)).join('; ');
  return error.message
    .replace(/; if the root CA is installed locally, try running Node\.js with --use-system-ca$/, '')
    .replace(/^[0-9A-F]+:error:[0-9A-F]+:[^:]*:[^:]*:([^:]*):[^\n]*\n?$/, '$1');
}
