import { useElementSize } from '@mantine/hooks';
import { useState, type KeyboardEvent } from 'react';
import { nextIndex } from './crosshair.ts';
import classes from './line-plot.module.css';
import { usePlot, type PlotInput } from './use-plot.ts';
import { OWN_ESCAPE } from '../dialogs.ts';

interface LinePlotProps extends Omit<PlotInput, 'width'> {
  /** Label of the crosshair. */
  label: string;
  /** Column of the crosshair; null = hidden. */
  looked: number | null;
  /** Text for the crosshair's column, or else for the newest one. */
  words: string;
}

/** Two lines over time; pointer and arrow keys read any moment. Heavy: pages load it lazily. */
export function LinePlot({ label, looked, words, ...drawing }: LinePlotProps) {
  const { ref, width } = useElementSize();
  const plot = usePlot({ ...drawing, width });
  const { data, height, onLook } = drawing;
  const count = data[0].length;
  const at = looked !== null && looked < count ? looked : count - 1;
  // While it has the focus it says what was requested: of a live drawing each reading would be read out. 0 = no focus.
  const [requests, setRequests] = useState(0);
  const [announced, setAnnounced] = useState({ requests, at, words });
  if (announced.requests !== requests) setAnnounced({ requests, at, words });
  const shown = requests === 0 ? { at, words } : announced;
  const requestAnnouncement = (): void => setRequests((before) => before + 1);
  const handleKey = (event: KeyboardEvent): void => {
    const next = nextIndex(event.key, looked, count);
    if (next === undefined) return;
    event.preventDefault();
    plot.pointAt(next);
    onLook(next);
    requestAnnouncement();
  };
  return (
    <div ref={ref} dir="ltr" style={{ minBlockSize: height }}>
      <div
        ref={plot.host}
        className={classes['plot']}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-orientation="horizontal"
        aria-valuemin={0}
        aria-valuemax={Math.max(0, count - 1)}
        aria-valuenow={Math.max(0, shown.at)}
        aria-valuetext={shown.words}
        // Escape hides the crosshair first, then closes the drawer around it.
        {...{ [OWN_ESCAPE]: looked !== null }}
        onKeyDown={handleKey}
        onFocus={requestAnnouncement}
        onBlur={() => {
          plot.pointAt(null);
          setRequests(0);
        }}
      />
    </div>
  );
}
