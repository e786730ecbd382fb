/** Describes errors of the operating system in words that name the remedy. */
export function describeFailure(error: unknown): string {
  const { code, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  if (code === 'EADDRINUSE')
    return `${address ?? ''}:${port ?? ''} is used by another program. Stop it, or choose another port with --port or --sub-port.`;
  if (code === 'EACCES' && port !== undefined)
    return `this user may not listen on port ${port}. Choose a port above 1023 with --port.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
