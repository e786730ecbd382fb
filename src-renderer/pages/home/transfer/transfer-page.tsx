import { Button, Group, Progress, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TransferRequest, TransferChoices } from '../../../../src-main/bridge/jobs.ts';
import { requireDesktop } from '../../../api/desktop.ts';
import { useAddressParams } from '../../../ui/address/use-address-params.ts';
import { announceFailure } from '../../../ui/notices/announce.ts';
import { usePanelNames } from '../panel-names.ts';
import { UnfinishedNotice } from '../jobs/unfinished-notice.tsx';
import { isOver, useJob } from '../jobs/use-job.ts';
import { JobFailure } from '../jobs/job-failure.tsx';
import { PanelsFrame } from '../panels-frame.tsx';
import { PlanView } from './plan-view.tsx';
import { TransferForm, type TransferDraft } from './transfer-form.tsx';
import { TransferProgressView } from './transfer-progress.tsx';

type Stage = { at: 'form' } | { at: 'plan'; id: string; toId: string };

/** Transfers inbounds and clients from one panel to another: form, plan, progress. */
export function TransferPage() {
  const { t } = useTranslation('works');
  const [search, setSearch] = useAddressParams();
  const { panels, nameOf } = usePanelNames();
  const [draft, setDraft] = useState<TransferDraft>(() => ({
    fromId: search.get('from'),
    toId: search.get('to'),
    mode: search.get('mode') === 'move' ? 'move' : 'copy',
    inboundIds: [],
    withClients: true,
    emails: (search.get('emails') ?? '').replaceAll(',', '\n'),
    ontoInboundIds: [],
  }));
  const [stage, setStage] = useState<Stage>({ at: 'form' });
  const plan = async (request: TransferRequest): Promise<void> =>
    setStage({ at: 'plan', id: await requireDesktop().jobs.planTransfer(request), toId: request.toId });
  const toForm = (): void => setStage({ at: 'form' });
  // In the address, so that it is shown again when the window was locked meanwhile.
  const jobId = search.get('job');
  const follow = (job: string | null, toId: string | null): void => {
    setSearch({ job, to: toId }, { replace: true });
    toForm();
  };
  if (jobId !== null) {
    const toId = search.get('to') ?? '';
    return (
      <PanelsFrame title={t('transfer.title')}>
        <TransferProgressView id={jobId} toId={toId} toName={nameOf(toId)} onAnother={() => follow(null, null)} />
      </PanelsFrame>
    );
  }
  return (
    <PanelsFrame title={t('transfer.title')}>
      {stage.at === 'form' && <UnfinishedNotice nameOf={nameOf} />}
      {stage.at === 'form' && (
        <TransferForm
          draft={draft}
          panels={panels}
          onChange={setDraft}
          onPlan={(request) => void plan(request).catch(announceFailure)}
        />
      )}
      {stage.at === 'plan' && <Plan id={stage.id} onBack={toForm} onRun={(id) => follow(id, stage.toId)} />}
    </PanelsFrame>
  );
}

function Plan({ id, onBack, onRun }: { id: string; onBack: () => void; onRun: (id: string) => void }) {
  const { t } = useTranslation('works');
  const { data, error, refetch } = useJob('transferPlan', id);
  const [isBusy, setBusy] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => frame.current?.focus(), []);
  const isReading = data === undefined ? error === null : !isOver(data);
  const { jobs } = requireDesktop();
  const choose = (choices: TransferChoices): void =>
    void jobs.chooseTransfer({ id, choices }).then(() => refetch(), announceFailure);
  const run = async (): Promise<void> => {
    setBusy(true);
    try {
      onRun(await jobs.runTransfer(id));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div ref={frame} tabIndex={-1}>
      <JobFailure trouble={data?.trouble ?? null} isUnknown={error !== null} />
      {isReading && (
        <>
          <Text role="status">{t('transfer.planning')}</Text>
          <Progress
            value={data === undefined || data.total === 0 ? 5 : (100 * data.done) / data.total}
            animated
            aria-label={t('transfer.planning')}
          />
        </>
      )}
      {data?.state === 'done' && data.result !== null ? (
        <PlanView
          plan={data.result}
          isBusy={isBusy}
          onChoose={choose}
          onRun={() => void run().catch(announceFailure)}
          onBack={onBack}
        />
      ) : (
        <Group mt="md">
          <Button
            variant="default"
            onClick={() => {
              if (isReading) void jobs.cancel(id).catch(announceFailure);
              onBack();
            }}
          >
            {isReading ? t('stop') : t('verbs.change')}
          </Button>
        </Group>
      )}
    </div>
  );
}
