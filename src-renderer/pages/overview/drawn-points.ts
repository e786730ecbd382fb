import { useEffect, useState } from 'react';
import { useLiveStatus } from '../../stores/live-status.ts';
import type { Point } from '../../stores/point-ring.ts';
import { LOWEST_TOP } from './chart-data.ts';

/** A picture whose line does not move is drawn on this often, in seconds: it is some pixels further on then. */
const STILL_SEC = 10;

/** The readings as they were when the picture last had to be drawn; see {@link isOutdated}. */
export function useDrawnPoints(): readonly Point[] {
  const [drawn, setDrawn] = useState(() => useLiveStatus.getState().points);
  useEffect(() => {
    const take = ({ points }: { points: readonly Point[] }): void =>
      setDrawn((before) => (isOutdated(before, points) ? points : before));
    take(useLiveStatus.getState());
    return useLiveStatus.subscribe(take);
  }, []);
  return drawn;
}

/**
 * Whether a picture of these readings shows something else by now: a reading that lifts or lowers the line by more than a
 * fiftieth of its height is drawn at once. One that does not waits: to paint a large picture is the dearest part of a reading.
 */
export function isOutdated(drawn: readonly Point[], now: readonly Point[]): boolean {
  const [before, newest] = [drawn.at(-1), now.at(-1)];
  if (before === undefined || newest === undefined) return drawn.length !== now.length;
  // What the server remembers was put before it, or the oldest fell out.
  if (drawn[0]?.atSec !== now[0]?.atSec || newest.atSec - before.atSec >= STILL_SEC) return true;
  const top = Math.max(LOWEST_TOP, ...now.map(({ values }) => Math.max(values.netUp ?? 0, values.netDown ?? 0)));
  return (['netUp', 'netDown'] as const).some(
    (measure) => Math.abs((newest.values[measure] ?? 0) - (before.values[measure] ?? 0)) > top / 50,
  );
}
