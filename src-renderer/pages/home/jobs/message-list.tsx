import { List, Text } from '@mantine/core';
import type { JobMessage } from '../../../../src-main/bridge/jobs.ts';
import { useMessageText } from './use-message-text.ts';

/** Messages, line by line. */
export function MessageList({ messages, label }: { messages: readonly JobMessage[]; label?: string }) {
  const say = useMessageText();
  if (messages.length === 0) return null;
  if (messages.length === 1 && label === undefined) return <Text size="sm">{say(messages[0]!)}</Text>;
  return (
    <List size="sm" aria-label={label}>
      {messages.map((each, index) => (
        <List.Item key={`${each.code} ${index}`}>{say(each)}</List.Item>
      ))}
    </List>
  );
}
