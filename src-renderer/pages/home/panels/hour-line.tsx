import { memo } from 'react';
import { LINE_BOX, linePath } from './panel-model.ts';
import classes from './panels.module.css';

/** Throughput of the last hour, minute by minute, as a line without axes. */
export const HourLine = memo(function HourLine({ line, label }: { line: readonly (number | null)[]; label: string }) {
  return (
    <svg
      className={classes['line']}
      viewBox={`0 0 ${LINE_BOX.width} ${LINE_BOX.height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path d={linePath(line)} vectorEffect="non-scaling-stroke" />
    </svg>
  );
});
