import type { ReactNode } from 'react';
import classes from './chip.module.css';
import type { Tone } from './tones.ts';

/** A word with its colour. The word says the same. */
export function Chip({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={classes['chip']} data-tone={tone}>
      {children}
    </span>
  );
}
