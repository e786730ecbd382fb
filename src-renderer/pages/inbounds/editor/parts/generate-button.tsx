import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { announceFailure } from '../../../../ui/notices/announce.ts';

/** Generates secrets and fills them in; the server generates those that need the core. */
export function GenerateButton({ run, children }: { run: () => Promise<void> | void; children: ReactNode }) {
  const work = useMutation({ mutationFn: async () => run() });
  return (
    <Button
      variant="default"
      loading={work.isPending}
      onClick={() => work.mutate(undefined, { onError: announceFailure })}
    >
      {children}
    </Button>
  );
}
