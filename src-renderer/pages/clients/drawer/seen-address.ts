/** When and where a client was seen. */
interface SeenAddress {
  ip: string;
  /** Wall clock of the panel, as ms of the same wall clock here; null = the line has no time. */
  seenAtMs: number | null;
}

const LINE = /^(\S+) \((\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)\)$/;

/** Reads a line of the address log, `ip (2026-01-02 03:04:05)`. A line of another form is all address. */
export function readSeenAddress(line: string): SeenAddress {
  const [, ip, day, time] = LINE.exec(line) ?? [];
  if (ip === undefined) return { ip: line, seenAtMs: null };
  const seenAtMs = Date.parse(`${day}T${time}`);
  return { ip, seenAtMs: Number.isNaN(seenAtMs) ? null : seenAtMs };
}
