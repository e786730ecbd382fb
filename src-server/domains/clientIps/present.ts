/** The last moment that a date can represent. */
const MAX_TIME_SEC = 8.64e12;

/** `2026-01-02 03:04:05` in the zone; empty = the system's. */
export function localTime(atSec: number, timeZone: string): string {
  if (Math.abs(atSec) > MAX_TIME_SEC) return '?';
  const parts = new Intl.DateTimeFormat('en-CA', {
    ...(timeZone === '' ? {} : { timeZone }),
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(atSec * 1000);
  const of = (type: Intl.DateTimeFormatPartTypes): string => parts.find((part) => part.type === type)?.value ?? '';
  return `${of('year')}-${of('month')}-${of('day')} ${of('hour')}:${of('minute')}:${of('second')}`;
}

/** One line of a client's address log. */
export function presentAddress({ ip, seenAtSec }: { ip: string; seenAtSec: number }, timeZone: string): string {
  return `${ip} (${localTime(seenAtSec, timeZone)})`;
}

/** Explains to the operator how IP limits work on this system. */
export function limitNote(state: { isUsable: boolean; canCut: boolean; whyNot: string; platform: string }): string {
  if (!state.isUsable)
    return 'The core does not tell which addresses its clients use, so IP limits cannot be enforced.';
  if (state.canCut)
    return 'Addresses over the limit are refused by the core, and their open TCP connections are ended.';
  const system = { linux: 'Linux', win32: 'Windows', darwin: 'macOS' }[state.platform] ?? 'this system';
  return `Addresses over the limit are refused by the core. Connections that are open already go on until they end: on ${system} ${state.whyNot}.`;
}
