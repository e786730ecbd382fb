import classes from './clients.module.css';

interface UsedBarProps {
  usedBytes: number;
  /** 0 = unlimited: then there is no bar. */
  quotaBytes: number;
  label: string;
}

/** Full is red, nearly full is yellow; the figures beside say the same. */
const barColour = (share: number): string => (share >= 1 ? 'red' : share >= 0.9 ? 'yellow' : 'indigo');

/** How much of a quota is used. Plain elements: every row has one. */
export function UsedBar({ usedBytes, quotaBytes, label }: UsedBarProps) {
  if (quotaBytes <= 0) return null;
  const percent = Math.min((usedBytes / quotaBytes) * 100, 100);
  return (
    <div role="progressbar" aria-label={label} aria-valuenow={Math.round(percent)} className={classes['used']}>
      <div data-color={barColour(usedBytes / quotaBytes)} style={{ inlineSize: `${percent}%` }} />
    </div>
  );
}
