import { useFormat } from '../../i18n/format.ts';
import classes from './directions.module.css';
import { DIRECTIONS } from './tones.ts';

/** Bytes sent and received, each with an arrow. @param up bytes */
export function Directions({ up, down }: { up: number; down: number }) {
  const format = useFormat();
  return (
    <>
      <span className={classes['arrow']} data-tone={DIRECTIONS.up}>
        ↑
      </span>{' '}
      {format.bytes(up)} ·{' '}
      <span className={classes['arrow']} data-tone={DIRECTIONS.down}>
        ↓
      </span>{' '}
      {format.bytes(down)}
    </>
  );
}
