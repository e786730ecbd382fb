import { useEffect, useState } from 'react';
import { useLiveStatus } from '../../stores/live-status.ts';
import type { Point } from '../../stores/point-ring.ts';
import { LOWEST_TOP } from './chart-data.ts';

/** Seconds between draws while the line does not move: by then it has shifted some pixels. */
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
 * Whether a picture of these readings is outdated: a reading that moves the line by more than a fiftieth of its height
 * is drawn at once, others wait: painting a large picture is the most expensive part of a reading.
 */
export function isOutdated(drawn: readonly Point[], now: readonly Point[]): boolean {
  const [before, newest] = [drawn.at(-1), now.at(-1)];
  if (before === undefined || newest === undefined) return drawn.length !== now.length;
  // The server's history was put before it, or the oldest point fell out.
  if (drawn[0]?.atSec !== now[0]?.atSec || newest.atSec - before.atSec >= STILL_SEC) return true;
  const top = Math.max(LOWEST_TOP, ...now.map(({ values }) => Math.max(values.netUp ?? 0, values.netDown ?? 0)));
  return (['netUp', 'netDown'] as const).some(
    (measure) => Math.abs((newest.values[measure] ?? 0) - (before.values[measure] ?? 0)) > top / 50,
  );
}
