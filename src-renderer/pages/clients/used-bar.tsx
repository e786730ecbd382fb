import { severityTone, type Tone } from '../../ui/palette/tones.ts';
import classes from './clients.module.css';

interface UsedBarProps {
  usedBytes: number;
  /** 0 = unlimited: then there is no bar. */
  quotaBytes: number;
  label: string;
}

/** Full is red, nearly full is yellow; the figures beside say the same. */
const barTone = (share: number): Tone => severityTone(share >= 1 ? 'danger' : share >= 0.9 ? 'warning' : 'fine');

/** How much of a quota is used. Plain elements: every row has one. */
export function UsedBar({ usedBytes, quotaBytes, label }: UsedBarProps) {
  if (quotaBytes <= 0) return null;
  const percent = Math.min((usedBytes / quotaBytes) * 100, 100);
  return (
    <div role="progressbar" aria-label={label} aria-valuenow={Math.round(percent)} className={classes['used']}>
      <div data-tone={barTone(usedBytes / quotaBytes)} style={{ inlineSize: `${percent}%` }} />
    </div>
  );
}
