import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CLIENT_VERBS, PANEL_VERBS, type BulkVerb, type VerbRequest } from '../../../../src-main/bridge/jobs.ts';
import { requireDesktop } from '../../../api/desktop.ts';
import { useAddressParams } from '../../../ui/address/use-address-params.ts';
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

/** One action on several panels: the request, a preview, and the result of each panel. */
export function BulkPage() {
  const { t } = useTranslation('works');
  const [search, setSearch] = useAddressParams();
  const { panels, nameOf } = usePanelNames();
  const [draft, setDraft] = useState<Omit<VerbDraft, 'panelIds'> & { panelIds: string[] | null }>(() => ({
    verb: search.has('emails') ? 'extend' : 'restartCore',
    emails: (search.get('emails') ?? '').replaceAll(',', '\n'),
    days: MONTH_DAYS,
    traffic: 0,
    version: 'latest',
    panelIds: search.get('panels')?.split(',') ?? null,
  }));
  // In the address, so that it is shown again when the window was locked meanwhile.
  const jobId = search.get('job');
  const verb = [...CLIENT_VERBS, ...PANEL_VERBS].find((each) => each === search.get('verb'));
  const panelIds = (draft.panelIds ?? panels.map(({ id }) => id)).filter((id) => panels.some((each) => each.id === id));
  const plan = async (request: VerbRequest): Promise<void> => {
    setSearch({ job: await requireDesktop().jobs.planVerb(request), verb: request.verb }, { replace: true });
  };
  return (
    <PanelsFrame title={t('verbs.title')}>
      {jobId === null || verb === undefined ? (
        <VerbForm
          draft={{ ...draft, panelIds }}
          panels={panels}
          isBusy={false}
          onChange={setDraft}
          onPlan={(request) => void plan(request).catch(announceFailure)}
        />
      ) : (
        <PlannedVerb
          id={jobId}
          verb={verb}
          nameOf={nameOf}
          onChange={() => setSearch({ job: null, verb: null }, { replace: true })}
        />
      )}
    </PanelsFrame>
  );
}

interface PlannedProps {
  id: string;
  verb: BulkVerb;
  nameOf: (id: string) => string;
  onChange: () => void;
}

function PlannedVerb({ id, verb, nameOf, onChange }: PlannedProps) {
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
      <TitledCard title={t(`verb.${verb}`)}>
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
              verb={verb}
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
