import { Button, Group, List, Progress, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { cancelJob } from '#contract/jobs';
import { startRollout, type Rollout, type RolloutLine } from '#contract/nodes/rollout';
import { keys } from '../../../api/keys.ts';
import { useChange } from '../../../api/use-change.ts';
import { announceFailure } from '../../../ui/notices/announce.ts';
import { TitledCard } from '../../../ui/layout/titled-card.tsx';
import { Chip } from '../../../ui/palette/chip.tsx';
import type { Tone } from '../../../ui/palette/tones.ts';
import { Hint } from '../../../ui/layout/hint.tsx';
import { nodeRefusalWords } from '../node-refusal-words.ts';

const TONES: Record<RolloutLine['state'], Tone> = {
  waiting: 'gray',
  working: 'blue',
  checking: 'blue',
  updated: 'green',
  failed: 'red',
  skipped: 'yellow',
  cancelled: 'yellow',
  untouched: 'gray',
};

/** The last rollout, a line per node, with its result and the way back. */
export function RolloutCard({ rollout }: { rollout: Rollout }) {
  const { t } = useTranslation(['nodes', 'shell']);
  const { what, version, isBack, isRunning, lines, jobId } = rollout;
  const cancel = useChange(cancelJob, [keys.jobs, keys.nodes]);
  const start = useChange(startRollout, [keys.nodes, keys.jobs]);
  const ended = lines.filter(({ state }) => !['waiting', 'working', 'checking'].includes(state)).length;
  // Only nodes whose version has changed can be rolled back.
  const changed = lines.filter(({ state, before, after }) => state === 'updated' && before !== '' && before !== after);
  const versionsBefore = [...new Set(changed.map(({ before }) => before))];
  const before = versionsBefore.join(', ');
  const back = what === 'core' && !isBack && !isRunning && changed.length > 0;
  return (
    <TitledCard
      title={isBack ? t('fleet.backTitle') : t(`fleet.rollout.${what}`, { version })}
      actions={
        isRunning && (
          <Button
            size="xs"
            variant="default"
            loading={cancel.isPending}
            onClick={() => cancel.mutate({ params: { id: jobId } }, { onError: announceFailure })}
          >
            {t('shell:cancel')}
          </Button>
        )
      }
    >
      {isRunning && <Progress value={(ended / lines.length) * 100} aria-label={t('fleet.progress')} />}
      {/* Of many nodes only the one that moved on is read out. */}
      <div role="status" aria-atomic={false} aria-label={t('fleet.progress')}>
        <List listStyleType="none" size="sm" spacing="xs">
          {lines.map((line) => (
            <List.Item key={line.id}>
              <Line line={line} />
            </List.Item>
          ))}
        </List>
      </div>
      {back && (
        <Group gap="xs">
          <Text size="sm">{t('fleet.wayBack', { count: changed.length, version: before })}</Text>
          <Button
            size="xs"
            variant="default"
            loading={start.isPending}
            onClick={() =>
              start.mutate(
                { body: { what: 'core', back: true, ids: changed.map(({ id }) => id) } },
                { onError: announceFailure },
              )
            }
          >
            {versionsBefore.length === 1 ? t('fleet.goBack', { version: before }) : t('fleet.backTitle')}
          </Button>
        </Group>
      )}
      {what === 'panel' && !isRunning && changed.length > 0 && (
        <Text size="sm">{t('fleet.wayBackPanel', { version: before })}</Text>
      )}
    </TitledCard>
  );
}

function Line({ line: { name, id, state, wave, before, after, error, refusal } }: { line: RolloutLine }) {
  const { t } = useTranslation('nodes');
  const reason = (refusal === null ? null : nodeRefusalWords(refusal)) ?? error;
  return (
    <Stack gap={2}>
      <Group gap="xs">
        <Text size="sm" fw={600}>
          <bdi>{name || `#${id}`}</bdi>
        </Text>
        <Chip tone={TONES[state]}>{t(`fleet.state.${state}`)}</Chip>
        {state !== 'skipped' && <Hint size="xs">{wave === 0 ? t('fleet.first') : t('fleet.wave', { wave })}</Hint>}
        {after !== '' && (
          <Text size="xs">
            <bdi dir="ltr">{before === after ? after : `${before} → ${after}`}</bdi>
          </Text>
        )}
      </Group>
      {reason !== '' && (
        <Text size="xs">
          <bdi>{reason}</bdi>
        </Text>
      )}
    </Stack>
  );
}
