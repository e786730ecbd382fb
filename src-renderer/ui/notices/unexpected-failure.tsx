import { Stack, Text } from '@mantine/core';
import { CopyDetails } from './copy-details.tsx';

/** Notification text for a bug: the message, and how to report it. */
export function UnexpectedFailure({ error, atMs }: { error: Error; atMs: number }) {
  return (
    <Stack gap="xs" align="flex-start">
      <Text size="sm">
        <bdi>{error.message}</bdi>
      </Text>
      <CopyDetails error={error} atMs={atMs} />
    </Stack>
  );
}
