import { Alert, Button, Group, Progress, Skeleton, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CallError } from '../../api/transport.ts';
import { CopyDetails } from '../notices/copy-details.tsx';
import classes from './query-view.module.css';

/** Delay before the skeleton: one that flashes is worse than none. */
const SKELETON_AFTER_MS = 150;

interface QueryViewProps<T> {
  query: UseQueryResult<T>;
  /** Shown instead of an empty list: why it is empty, and the button that fixes it. */
  empty?: ReactNode;
  isEmpty?: (data: T) => boolean;
  skeleton?: ReactNode;
  children: (data: T) => ReactNode;
}

/** Handles loading, empty, failed and stale for all lists: old data stays visible while new data loads or fails to. */
export function QueryView<T>({ query, empty, isEmpty, skeleton, children }: QueryViewProps<T>) {
  const { data, error, errorUpdatedAt, isFetching, refetch } = query;
  // A signed-out admin gets the sign-in over the page; the data loads again after that.
  const isSignedOut = error instanceof CallError && error.kind === 'signedOut';
  const failed = error !== null && !isSignedOut && (
    <Failed error={error} atMs={errorUpdatedAt} onRetry={() => void refetch()} />
  );
  if (data === undefined) {
    return failed || <FirstLoad skeleton={skeleton} />;
  }
  const isNothing = isEmpty === undefined ? Array.isArray(data) && data.length === 0 : isEmpty(data);
  return (
    <div className={classes['frame']} aria-busy={isFetching}>
      <div className={classes['bar']}>{isFetching && <Progress value={100} size={2} animated aria-hidden />}</div>
      {failed}
      {isNothing && empty !== undefined ? empty : children(data)}
    </div>
  );
}

function FirstLoad({ skeleton }: { skeleton: ReactNode }) {
  const [isShown, show] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => show(true), SKELETON_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isShown) return null;
  return (
    skeleton ?? (
      <Stack gap="xs">
        {[1, 2, 3, 4, 5].map((row) => (
          <Skeleton key={row} height={40} />
        ))}
      </Stack>
    )
  );
}

function Failed({ error, atMs, onRetry }: { error: Error; atMs: number; onRetry: () => void }) {
  const { t } = useTranslation('shell');
  return (
    <Alert color="red" title={t('failed.title')} role="alert">
      <Group justify="space-between">
        <Text size="sm">
          <bdi>{error.message}</bdi>
        </Text>
        <Group gap="xs">
          <CopyDetails key={atMs} error={error} atMs={atMs} />
          <Button size="xs" variant="default" onClick={onRetry}>
            {t('retry')}
          </Button>
        </Group>
      </Group>
    </Alert>
  );
}
