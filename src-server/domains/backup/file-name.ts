/**
 * Name of a downloaded database: `<host>_<YYYY-MM-DD>_<HHMMSS>.db` in the server's local time.
 * @param host as in the request, with or without a port; anything that is not a plain file name becomes `-`.
 */
export function databaseFileName(host: string, nowMs: number): string {
  const withoutPort = host.replace(/:\d+$/, (port) => (isBareAddress(host) ? port : ''));
  const safe = withoutPort
    .replace(/[[\]]/g, '')
    .replace(/[^A-Za-z0-9._-]/g, '-')
    .slice(0, 200)
    .replace(/^[.-]+|[.-]+$/g, '');
  const at = new Date(nowMs);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  const time = `${two(at.getHours())}${two(at.getMinutes())}${two(at.getSeconds())}`;
  return `${safe === '' ? 'panel' : safe}_${day}_${time}.db`;
}

/** An IPv6 address without brackets: its last group is not a port. */
function isBareAddress(host: string): boolean {
  return !host.startsWith('[') && host.split(':').length > 2;
}
