import type { NodeRow } from '../stored-types.ts';

const FIGURES = [
  'latencyMs',
  'cpuPct',
  'memPct',
  'uptimeSec',
  'netUpBytesPerSec',
  'netDownBytesPerSec',
  'lastHeartbeatAtMs',
] as const;
type Figures = Pick<NodeRow, (typeof FIGURES)[number]>;

/**
 * What is another after every probe. The row in memory has it at once, the table only now and then: each write is a disk's work, and
 * makes what others have read of this panel an old version.
 */
export const figuresOf = (row: Figures): Figures =>
  Object.fromEntries(FIGURES.map((name) => [name, row[name]])) as unknown as Figures;

/** Whether a probe brought anything but figures. */
export function isNews(probed: object, row: NodeRow): boolean {
  const stored: Record<string, unknown> = { ...row };
  return Object.entries(probed).some(
    ([name, value]) => !(FIGURES as readonly string[]).includes(name) && stored[name] !== value,
  );
}
