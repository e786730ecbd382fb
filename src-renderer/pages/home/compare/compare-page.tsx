import { Button, Group, Progress, SegmentedControl, Select, Stack, Text, TextInput } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import {
  COMPARED,
  type ComparedLine,
  type ComparedPart,
  type Comparison,
  type JobMessage,
} from '../../../../src-main/bridge/jobs.ts';
import { requireDesktop } from '../../../api/desktop.ts';
import { confirmAction } from '../../../ui/confirm.tsx';
import { announceFailure } from '../../../ui/notices/announce.ts';
import { usePanelNames } from '../panel-names.ts';
import { useMessageText } from '../jobs/use-message-text.ts';
import { isOver, useJob } from '../jobs/use-job.ts';
import { JobFailure } from '../jobs/job-failure.tsx';
import { PanelsFrame } from '../panels-frame.tsx';
import { LineTable, titleOf } from './line-table.tsx';
import { useAddressParams } from '../../../ui/address/use-address-params.ts';

/** Two panels side by side; single lines can be copied from one to the other. */
export function ComparePage() {
  const { t } = useTranslation('works');
  const [search, setSearch] = useAddressParams();
  const { panels, nameOf } = usePanelNames();
  const [leftId, rightId] = [search.get('left'), search.get('right')];
  const [compared, setCompared] = useState<{ id: string; leftId: string; rightId: string } | null>(null);
  const data = panels.map(({ id, name }) => ({ value: id, label: name }));
  const set = (side: 'left' | 'right', id: string | null): void => setSearch({ [side]: id }, { replace: true });
  const start = async (): Promise<void> => {
    if (leftId === null || rightId === null || leftId === rightId) return;
    setCompared({ leftId, rightId, id: await requireDesktop().jobs.compare({ leftId, rightId }) });
  };
  const handleSubmit = (event: SyntheticEvent): void => {
    event.preventDefault();
    void start().catch(announceFailure);
  };
  return (
    <PanelsFrame title={t('compare.title')}>
      <form onSubmit={handleSubmit}>
        <Group align="end">
          <Select label={t('compare.left')} data={data} value={leftId} onChange={(id) => set('left', id)} />
          <Select
            label={t('compare.right')}
            data={data}
            value={rightId}
            error={leftId !== null && leftId === rightId && t('message.samePanel')}
            onChange={(id) => set('right', id)}
          />
          <Button type="submit" disabled={leftId === null || rightId === null || leftId === rightId}>
            {t('compare.start')}
          </Button>
        </Group>
      </form>
      {compared !== null && (
        <Compared
          key={compared.id}
          id={compared.id}
          leftName={nameOf(compared.leftId)}
          rightName={nameOf(compared.rightId)}
          nameOf={nameOf}
        />
      )}
    </PanelsFrame>
  );
}

interface ComparedProps {
  id: string;
  leftName: string;
  rightName: string;
  nameOf: (id: string) => string;
}

function Compared({ id, leftName, rightName, nameOf }: ComparedProps) {
  const { t } = useTranslation('works');
  const { data, error } = useJob('comparison', id);
  const isReading = data === undefined ? error === null : !isOver(data);
  return (
    <>
      <JobFailure trouble={data?.trouble ?? null} isUnknown={error !== null} />
      {isReading && (
        <>
          <Text role="status">{t('compare.reading')}</Text>
          <Progress value={100} animated aria-label={t('compare.reading')} />
        </>
      )}
      {data?.state === 'done' && data.result !== null && (
        <ComparedLines id={id} comparison={data.result} leftName={leftName} rightName={rightName} nameOf={nameOf} />
      )}
    </>
  );
}

function ComparedLines({ id, comparison, leftName, rightName, nameOf }: ComparedProps & { comparison: Comparison }) {
  const { t } = useTranslation('works');
  const [part, setPart] = useState<ComparedPart>('settings');
  const [wanted, setWanted] = useState('');
  const { taken, busyId, result, take } = useTaking(id, leftName, rightName);
  const text = wanted.trim().toLowerCase();
  const lines = comparison.lines.filter(
    (line) => line.part === part && !taken.has(line.id) && titleOf(line).toLowerCase().includes(text),
  );
  return (
    <Stack>
      <Group>
        <SegmentedControl
          aria-label={t('compare.title')}
          value={part}
          data={COMPARED.map((value) => ({ value, label: t(`part.${value}`) }))}
          onChange={setPart}
        />
        <TextInput
          type="search"
          aria-label={t('compare.find')}
          placeholder={t('compare.find')}
          value={wanted}
          onChange={(event) => setWanted(event.currentTarget.value)}
        />
      </Group>
      {comparison.unread.map(({ panelId, part }) => (
        <Text key={`${panelId} ${part}`} size="sm">
          {t('compare.unread', { name: nameOf(panelId), part: t(`part.${part}`) })}
        </Text>
      ))}
      <Text size="sm" role="status">
        {result ?? t('compare.differ', { count: lines.length })} {t('compare.same', { count: comparison.sameCount })}
      </Text>
      {lines.length === 0 ? (
        <Text c="dimmed">{t('compare.none')}</Text>
      ) : (
        <LineTable lines={lines} leftName={leftName} rightName={rightName} busyId={busyId} onTake={take} />
      )}
      {comparison.isCut && <Text size="sm">{t('compare.cut')}</Text>}
    </Stack>
  );
}

/** Applies lines one at a time. */
function useTaking(id: string, leftName: string, rightName: string) {
  const { t } = useTranslation('works');
  const say = useMessageText();
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set());
  const [busyId, setBusy] = useState<string | null>(null);
  const [result, setResult] = useState<string | null>(null);
  async function go(line: ComparedLine, from: 'left' | 'right'): Promise<void> {
    const name = from === 'left' ? rightName : leftName;
    const value = (from === 'left' ? line.left : line.right) ?? '';
    if (line.isBound) {
      const isSure = await confirmAction({
        title: t('compare.boundTitle'),
        text: t('compare.boundText', { line: titleOf(line), name, value: value === '' ? t('compare.empty') : value }),
        action: t('compare.boundAction'),
      });
      if (!isSure) return;
    }
    setBusy(line.id);
    try {
      const request = { id, lineId: line.id, from, isConfirmed: line.isBound };
      const refusal: JobMessage | null = await requireDesktop().jobs.takeLine(request);
      if (refusal === null) setTaken((before) => new Set([...before, line.id]));
      setResult(refusal === null ? t('compare.taken', { line: titleOf(line) }) : say(refusal));
    } finally {
      setBusy(null);
    }
  }
  const take = (line: ComparedLine, from: 'left' | 'right'): void => void go(line, from).catch(announceFailure);
  return { taken, busyId, result, take };
}
