import type { ReactNode } from 'react';
import classes from './chip.module.css';
import type { Tone } from './tones.ts';

/** A coloured word. The colour adds nothing to the word. */
export function Chip({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={classes['chip']} data-tone={tone}>
      {children}
    </span>
  );
}
