import { Text } from '@mantine/core';
import { DIRECTIONS } from '../palette/tones.ts';
import classes from './line-plot.module.css';

/** Legend of a plot's two lines, told apart by their strokes too. */
export function LineKeys({ names }: { names: readonly [string, string] }) {
  return names.map((name, line) => (
    <Text key={name} size="xs">
      <span
        className={classes['key']}
        data-line={line}
        data-tone={line === 0 ? DIRECTIONS.up : DIRECTIONS.down}
        aria-hidden
      />
      {name}
    </Text>
  ));
}
