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
 * Fields that change with every probe. They are updated in memory at once but rarely in the table: each write costs
 * disk work and makes copies of this panel's state outdated.
 */
export const figuresOf = (row: Figures): Figures =>
  Object.fromEntries(FIGURES.map((name) => [name, row[name]])) as unknown as Figures;

/** Whether a probe changed anything but figures. */
export function isNews(probed: object, row: NodeRow): boolean {
  const stored: Record<string, unknown> = { ...row };
  return Object.entries(probed).some(
    ([name, value]) => !(FIGURES as readonly string[]).includes(name) && stored[name] !== value,
  );
}
