import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { lineTone } from '../../ui/palette/tones.ts';
import { lineAt, type LogLine } from './log-line.ts';
import classes from './logs.module.css';

/** Height of an unwrapped line in pixels, as set in the style sheet. */
const LINE_PX = 24;
/** Closer to the end than this counts as being at the end. */
const END_PX = 40;

interface LogLinesProps {
  lines: readonly LogLine[];
  isWrapped: boolean;
  isFollowing: boolean;
  /** Called when scrolling leaves or reaches the end. */
  onFollow: (isFollowing: boolean) => void;
  /** Where to scroll, `2026-01-02T15:04`; empty = nowhere. */
  moment: string;
}

/** Thousands of lines, virtualised: only those in view exist. */
export function LogLines({ lines, isWrapped, isFollowing, onFollow, moment }: LogLinesProps) {
  const { t } = useTranslation('logs');
  const frame = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: lines.length,
    getScrollElement: () => frame.current,
    estimateSize: () => LINE_PX,
    overscan: 20,
  });
  useEffect(() => list.measure(), [isWrapped, list]);
  useEffect(() => {
    if (isFollowing && lines.length > 0) list.scrollToIndex(lines.length - 1, { align: 'end' });
  }, [isFollowing, lines, list, isWrapped]);
  const held = useRef(lines);
  held.current = lines;
  useEffect(() => {
    if (moment !== '') list.scrollToIndex(lineAt(held.current, moment), { align: 'start' });
  }, [moment, list]);
  const handleWheel = (): void => {
    const { scrollTop, scrollHeight, clientHeight } = frame.current!;
    const isAtEnd = scrollHeight - scrollTop - clientHeight < END_PX;
    if (isAtEnd !== isFollowing) onFollow(isAtEnd);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- its listeners only follow the scrolling
    <div
      ref={frame}
      className={classes['lines']}
      data-wrapped={isWrapped || undefined}
      role="region"
      aria-label={t('region')}
      tabIndex={0}
      dir="ltr"
      // Only the user's scrolling starts or stops following; the list scrolls by itself too.
      onWheel={() => requestAnimationFrame(handleWheel)}
      onTouchMove={() => requestAnimationFrame(handleWheel)}
      onKeyUp={handleWheel}
    >
      <div className={classes['space']} style={{ blockSize: list.getTotalSize() }}>
        {list.getVirtualItems().map(({ index, start, key }) => {
          const line = lines[index]!;
          const word = line.kind ?? line.level;
          return (
            <div
              key={key}
              ref={list.measureElement}
              data-index={index}
              className={classes['line']}
              style={{ transform: `translateY(${start}px)` }}
            >
              <span className={classes['time']}>{line.time.replace('T', ' ')}</span>
              <span className={classes['mark']} data-tone={word === null ? undefined : lineTone(word)}>
                {line.kind === null ? line.level?.toUpperCase() : t(`kind.${line.kind}`)}
              </span>
              <bdi className={classes['text']}>{line.text}</bdi>
            </div>
          );
        })}
      </div>
    </div>
  );
}
