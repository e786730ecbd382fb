import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import type { VerbAsk } from '../../../../src-main/bridge/jobs.ts';
import { requireDesktop } from '../../../api/desktop.ts';
import { announceFailure } from '../../../ui/notices/announce.ts';
import { TitledCard } from '../../../ui/layout/titled-card.tsx';
import { usePanelNames } from '../panel-names.ts';
import { isOver, useJob } from '../jobs/use-job.ts';
import { JobFailure } from '../jobs/job-failure.tsx';
import { PanelsFrame } from '../panels-frame.tsx';
import { StepTable } from './step-table.tsx';
import { VerbForm } from './verb-form.tsx';
import type { VerbDraft } from './verb-model.ts';

const MONTH_DAYS = 30;

/** One action on several panels: the request, a preview, and the answer of each panel. */
export function BulkPage() {
  const { t } = useTranslation('works');
  const [search] = useSearchParams();
  const { panels, nameOf } = usePanelNames();
  const [draft, setDraft] = useState<Omit<VerbDraft, 'panelIds'> & { panelIds: string[] | null }>(() => ({
    verb: search.has('emails') ? 'extend' : 'restartCore',
    emails: (search.get('emails') ?? '').replaceAll(',', '\n'),
    days: MONTH_DAYS,
    traffic: 0,
    version: 'latest',
    panelIds: search.get('panels')?.split(',') ?? null,
  }));
  const [planned, setPlanned] = useState<{ id: string; ask: VerbAsk } | null>(null);
  const panelIds = (draft.panelIds ?? panels.map(({ id }) => id)).filter((id) => panels.some((each) => each.id === id));
  const plan = async (ask: VerbAsk): Promise<void> => {
    setPlanned({ ask, id: await requireDesktop().jobs.planVerb(ask) });
  };
  return (
    <PanelsFrame title={t('verbs.title')}>
      {planned === null ? (
        <VerbForm
          draft={{ ...draft, panelIds }}
          panels={panels}
          isBusy={false}
          onChange={setDraft}
          onPlan={(ask) => void plan(ask).catch(announceFailure)}
        />
      ) : (
        <PlannedVerb {...planned} nameOf={nameOf} onChange={() => setPlanned(null)} />
      )}
    </PanelsFrame>
  );
}

interface PlannedProps {
  id: string;
  ask: VerbAsk;
  nameOf: (id: string) => string;
  onChange: () => void;
}

function PlannedVerb({ id, ask, nameOf, onChange }: PlannedProps) {
  const { t } = useTranslation('works');
  const { data, error, refetch } = useJob('verb', id);
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => frame.current?.focus(), []);
  const steps = data?.result ?? [];
  const isRunning = data === undefined ? error === null : !isOver(data);
  const waiting = steps.filter(({ state }) => state === 'waiting').length;
  const isBegun = steps.some(({ state }) => state === 'done');
  const act = (work: Promise<void>): void => void work.then(() => refetch(), announceFailure);
  const { jobs } = requireDesktop();
  return (
    <div ref={frame} tabIndex={-1}>
      <TitledCard title={t(`verb.${ask.verb}`)}>
        <JobFailure trouble={data?.trouble ?? null} isUnknown={error !== null} />
        {isRunning && (
          <Progress
            value={data === undefined || data.total === 0 ? 5 : (100 * data.done) / data.total}
            animated
            aria-label={t('state.running')}
          />
        )}
        <div aria-live="polite">
          {steps.length > 0 && (
            <StepTable
              verb={ask.verb}
              steps={steps}
              nameOf={nameOf}
              isRunning={isRunning}
              onRetry={(panelId) => act(jobs.retryVerb({ id, panelId }))}
            />
          )}
          {!isRunning && waiting === 0 && !isBegun && error === null && <Text mt="sm">{t('verbs.nothing')}</Text>}
        </div>
        <Stack>
          <Group>
            {!isRunning && waiting > 0 && (
              <Button onClick={() => act(jobs.runVerb(id))}>{t('verbs.run', { count: waiting })}</Button>
            )}
            {isRunning ? (
              <Button variant="default" onClick={() => act(jobs.cancel(id))}>
                {t('stop')}
              </Button>
            ) : (
              <Button variant="default" onClick={onChange}>
                {t('verbs.change')}
              </Button>
            )}
          </Group>
        </Stack>
      </TitledCard>
    </div>
  );
}
