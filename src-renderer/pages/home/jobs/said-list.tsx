import { List, Text } from '@mantine/core';
import type { Said } from '../../../../src-main/bridge/jobs.ts';
import { useSaid } from './use-said.ts';

/** What there is to say, line by line. */
export function SaidList({ said, label }: { said: readonly Said[]; label?: string }) {
  const say = useSaid();
  if (said.length === 0) return null;
  if (said.length === 1 && label === undefined) return <Text size="sm">{say(said[0]!)}</Text>;
  return (
    <List size="sm" aria-label={label}>
      {said.map((each, index) => (
        <List.Item key={`${each.code} ${index}`}>{say(each)}</List.Item>
      ))}
    </List>
  );
}
