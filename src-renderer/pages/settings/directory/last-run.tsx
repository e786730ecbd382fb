import { Alert, List, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { DirectoryRun, DirectoryState } from '#contract/directory';
import { useFormat } from '../../../i18n/format.ts';
import { reasonWords } from '../../../i18n/refusal-words.ts';
import { PLAN_LISTS, UnknownTags } from './plan-lists.tsx';
import { Hint } from '../../../ui/layout/hint.tsx';

const COLOURS = { done: 'teal', held: 'yellow', failed: 'red' } as const;

/** Result of the last run, and what it waits for. */
export function LastRun({ state: { isEnabled, isRunning, lastRun, lastDoneAt } }: { state: DirectoryState }) {
  const { t } = useTranslation('settings');
  const format = useFormat();
  return (
    <Stack gap="xs">
      {!isEnabled && <Text size="sm">{t('directory.off')}</Text>}
      {isRunning && <Text size="sm">{t('directory.running')}</Text>}
      {lastRun === null ? (
        <Hint>{t('directory.never')}</Hint>
      ) : (
        <Alert
          color={COLOURS[lastRun.outcome]}
          title={t(`directory.outcome.${lastRun.outcome}`, { at: format.dateTime(lastRun.at) })}
        >
          <Stack gap={4}>
            <RunResult run={lastRun} />
            {lastRun.outcome !== 'done' && lastDoneAt > 0 && (
              <Text size="sm">{t('directory.lastDone', { at: format.dateTime(lastDoneAt) })}</Text>
            )}
          </Stack>
        </Alert>
      )}
    </Stack>
  );
}

function RunResult({ run: { failure, heldFor, counts, entries, skipped, unknownTags } }: { run: DirectoryRun }) {
  const { t } = useTranslation('settings');
  if (failure !== null)
    return (
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {failure.stage !== null && `${t(`directory.stage.${failure.stage}`)}: `}
        <bdi>{reasonWords(failure)}</bdi>
      </Text>
    );
  const changed = PLAN_LISTS.filter((name) => counts[name] > 0).map((name) =>
    t(`directory.list.${name}`, { count: counts[name] }),
  );
  return (
    <>
      {heldFor !== null && <Text size="sm">{t(`directory.heldFor.${heldFor}`)}</Text>}
      <Text size="sm">
        {[
          t('directory.entries', { count: entries }),
          ...(changed.length > 0 ? changed : [t('directory.nothing')]),
        ].join(' · ')}
      </Text>
      <UnknownTags tags={unknownTags} />
      {skipped.length > 0 && (
        <List size="sm">
          {skipped.map((one, at) => (
            // One client may be left alone for two reasons.
            <List.Item key={`${at} ${one.email}`} style={{ overflowWrap: 'anywhere' }}>
              <bdi>{one.email}</bdi> <bdi>{reasonWords(one)}</bdi>
            </List.Item>
          ))}
        </List>
      )}
    </>
  );
}
