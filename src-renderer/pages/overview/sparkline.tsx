import { memo } from 'react';
import { means, type Measure, type Point } from '../../stores/point-ring.ts';
import { useLiveStatus } from '../../stores/live-status.ts';
import { partTone } from '../../ui/palette/tones.ts';
import classes from './overview.module.css';

const WINDOW_SEC = 6 * 3_600;
const BUCKET_SEC = 300;
/** Units of the drawing, which is stretched to fit its tile. */
const [WIDTH, HEIGHT] = [72, 20];

/**
 * A figure's last six hours as a line without axes, redrawn every minute. @param top upper edge; absent = the maximum
 */
export const Sparkline = memo(function Sparkline({ measure, top }: { measure: Measure; top?: number }) {
  const minute = useLiveStatus(({ points }) => Math.floor((points.at(-1)?.atSec ?? 0) / 60));
  const path = sparkPath(useLiveStatus.getState().points, measure, minute * 60 + 60, top);
  return (
    <svg
      className={classes['spark']}
      data-tone={partTone(0)}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden
    >
      <path d={path} vectorEffect="non-scaling-stroke" />
    </svg>
  );
});

/** The line through the means of the last six hours, with gaps where there are none. */
export function sparkPath(points: readonly Point[], measure: Measure, nowSec: number, top?: number): string {
  const shown = means(points, BUCKET_SEC, WINDOW_SEC, nowSec).flatMap(({ atSec, values }) => {
    const value = values[measure];
    return value === undefined ? [] : [{ atSec, value }];
  });
  const highest = top ?? Math.max(...shown.map(({ value }) => value), 1e-9);
  let beforeSec = -Infinity;
  return shown
    .map(({ atSec, value }) => {
      const verb = atSec - beforeSec > BUCKET_SEC * 1.5 ? 'M' : 'L';
      beforeSec = atSec;
      const x = WIDTH * (1 - (nowSec - atSec) / WINDOW_SEC);
      const y = HEIGHT - Math.min(1, value / highest) * (HEIGHT - 1) - 0.5;
      // A moment between two gaps is drawn as a dot: a line needs some length to be visible.
      return `${verb}${x.toFixed(1)} ${y.toFixed(1)}${verb === 'M' ? 'h0.3' : ''}`;
    })
    .join('');
}
