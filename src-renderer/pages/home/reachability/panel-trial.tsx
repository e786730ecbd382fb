import { Badge, Button, Group, Stack, Table, Text, TextInput, Title } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type {
  ReachabilityChoices,
  ReachabilityRun,
  ReachabilityWay,
  MaintenanceTask,
} from '../../../../src-main/bridge/maintenance.ts';
import { requireDesktop } from '../../../api/desktop.ts';
import { useFormat } from '../../../i18n/format.ts';
import { CardTable } from '../../../ui/layout/card-table.tsx';
import { announceFailure } from '../../../ui/notices/announce.ts';
import { Hint } from '../../../ui/layout/hint.tsx';
import { known } from '../panels/panel-tile.tsx';
import { TaskProgress } from '../maintenance/task-progress.tsx';
import type { NamedPanel } from '../panel-names.ts';
import { useSlowNow } from '../panels/use-slow-now.ts';
import { useWayWords } from './use-way-words.ts';

const COLUMNS = ['inbound', 'where', 'client', 'state', 'connect', 'firstByte', 'throughput', 'exit'] as const;
export const STATE_COLORS = { ok: 'teal.9', blocked: 'red.9', unusable: 'gray.7' } as const;

interface TrialProps {
  panel: NamedPanel;
  /** The last trial; absent: none yet. */
  run: ReachabilityRun | undefined;
  task: MaintenanceTask | undefined;
  choices: ReachabilityChoices;
  /** @param part what changes in the latest choices */
  onChange: (part: (choices: ReachabilityChoices) => Partial<ReachabilityChoices>) => void;
  onHistory: () => void;
}

/** One panel: how each of its inbounds was last reached from here, and a button to try them now. */
export function PanelTrial({ panel, run, task, choices, onChange, onHistory }: TrialProps) {
  const { t } = useTranslation(['vantage', 'words']);
  const format = useFormat();
  const nowMs = useSlowNow();
  const { id, name } = panel;
  const isScheduled = !choices.off.includes(id);
  const toggleScheduled = (): void =>
    onChange(({ off }) => ({ off: off.includes(id) ? off.filter((other) => other !== id) : [...off, id] }));
  return (
    <Stack gap="xs" component="section" aria-label={name}>
      <Group justify="space-between">
        <Group gap="xs">
          <Title order={2} size="h4">
            <bdi>{name}</bdi>
          </Title>
          <Hint>{run === undefined ? t('never') : t('tried', { when: format.relative(run.atMs, nowMs) })}</Hint>
        </Group>
        <Group gap="xs">
          <PreferredClient panel={panel} choices={choices} onChange={onChange} />
          <Button size="xs" variant="default" aria-pressed={isScheduled} onClick={toggleScheduled}>
            {t(isScheduled ? 'scheduled' : 'notScheduled')}
          </Button>
          <Button size="xs" variant="default" aria-label={t('historyOf', { name })} onClick={onHistory}>
            {t('words:history')}
          </Button>
          {task === undefined ? (
            <Button
              size="xs"
              aria-label={t('tryOf', { name })}
              onClick={() => void requireDesktop().maintenance.tryPanel(id).catch(announceFailure)}
            >
              {t('try')}
            </Button>
          ) : (
            <TaskProgress task={task} words={t('trying', { done: task.done, total: task.total })} />
          )}
        </Group>
      </Group>
      {run !== undefined && run.words !== '' && (
        <Text size="sm" c="red.9">
          {t('notTried')} <bdi>{run.words}</bdi>
        </Text>
      )}
      {run !== undefined && run.words === '' && run.ways.length === 0 && <Text c="dimmed">{t('noInbounds')}</Text>}
      {run !== undefined && run.ways.length > 0 && <Ways ways={run.ways} />}
    </Stack>
  );
}

function Ways({ ways }: { ways: readonly ReachabilityWay[] }) {
  const { t } = useTranslation('vantage');
  const format = useFormat();
  const wayWords = useWayWords();
  const inMs = (value: number): string => t('ms', { count: value });
  return (
    <CardTable minWidth={960} columns={COLUMNS.map((column) => t(`column.${column}`))}>
      {ways.map((way) => (
        <Table.Tr key={`${way.inboundId} ${way.address}`} aria-label={`${way.inbound} ${way.address}`}>
          <Table.Th scope="row">
            <bdi>{way.inbound}</bdi>
            <Hint size="xs">{way.protocol}</Hint>
          </Table.Th>
          <Table.Td data-label={t('column.where')}>
            <bdi>{way.address === '' ? '–' : way.address}</bdi>
          </Table.Td>
          <Table.Td data-label={t('column.client')}>
            <bdi>{way.client === '' ? '–' : way.client}</bdi>
          </Table.Td>
          <Table.Td data-label={t('column.state')}>
            <Badge color={STATE_COLORS[way.state]}>{t(`state.${way.state}`)}</Badge>
            {way.words !== '' && (
              <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                <bdi>{wayWords(way)}</bdi>
              </Text>
            )}
          </Table.Td>
          <Table.Td data-label={t('column.connect')}>{known(way.connectMs, inMs)}</Table.Td>
          <Table.Td data-label={t('column.firstByte')}>{known(way.firstByteMs, inMs)}</Table.Td>
          <Table.Td data-label={t('column.throughput')}>{known(way.bytesPerSec, format.rate)}</Table.Td>
          <Table.Td data-label={t('column.exit')}>
            <bdi>{way.exitAddress === '' ? '–' : way.exitAddress}</bdi>
          </Table.Td>
        </Table.Tr>
      ))}
    </CardTable>
  );
}

/** The client whose links are tried; empty = any usable client of each inbound. */
function PreferredClient({ panel, choices, onChange }: Pick<TrialProps, 'panel' | 'choices' | 'onChange'>) {
  const { t } = useTranslation('vantage');
  const { [panel.id]: chosen = '' } = choices.clients;
  const [email, setEmail] = useState(chosen);
  const handleSubmit = (event?: FormEvent): void => {
    event?.preventDefault();
    const wanted = email.trim();
    if (wanted === chosen) return;
    onChange(({ clients: { [panel.id]: _chosen, ...others } }) => ({
      clients: wanted === '' ? others : { ...others, [panel.id]: wanted },
    }));
  };
  return (
    <form onSubmit={handleSubmit}>
      <TextInput
        size="xs"
        w={220}
        dir="ltr"
        aria-label={t('clientOf', { name: panel.name })}
        placeholder={t('anyClient')}
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        onBlur={() => handleSubmit()}
      />
    </form>
  );
}
