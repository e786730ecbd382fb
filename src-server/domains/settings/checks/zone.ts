/** Whether schedules can run in this zone: `Local`, `UTC` or an IANA name. */
export function isTimeZone(name: string): boolean {
  if (name === 'Local' || name === 'UTC') return true;
  // The runtime also accepts offsets such as +03:00; those are not zones and have no daylight saving time.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
