import { Autocomplete, Button, Group, SegmentedControl, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getCoreVersion } from '#contract/coreFiles';
import { startRollout, type NodeVersions, type RolloutWhat } from '#contract/nodes/rollout';
import { getPanelUpdateInfo } from '#contract/panelUpdate';
import { keys } from '../../../api/keys.ts';
import { useRead } from '../../../api/use-read.ts';
import { useChange } from '../../../api/use-change.ts';
import { announceFailure } from '../../../ui/notices/announce.ts';
import { confirmAction } from '../../../ui/confirm.tsx';
import { TitledCard } from '../../../ui/layout/titled-card.tsx';
import toolbar from '../../../ui/layout/toolbar.module.css';
import { Hint } from '../../../ui/layout/hint.tsx';
import { isOlder } from '../node-state.ts';
import { isReady } from './version-table.tsx';
import { useAddressParams } from '../../../ui/address/use-address-params.ts';
import { allFit } from '../../../forms/all-fit.ts';
import { NumberField } from '../../../forms/number-field.tsx';

const WHATS: readonly RolloutWhat[] = ['core', 'geo', 'panel'];
const USUAL_WAVE = 4;
const LARGEST_WAVE = 20;

interface ExchangeFormProps {
  rows: readonly NodeVersions[];
  chosen: ReadonlySet<number>;
  isRunning: boolean;
}

/** What to install on the selected nodes, and how many at a time. */
export function ExchangeForm({ rows, chosen, isRunning }: ExchangeFormProps) {
  const { t } = useTranslation('nodes');
  const [params, setParams] = useAddressParams();
  const what = WHATS.find((each) => each === params.get('what')) ?? 'core';
  const [version, setVersion] = useState('');
  const [isDev, setDev] = useState(false);
  const [waveSize, setWaveSize] = useState(USUAL_WAVE);
  const start = useChange(startRollout, [keys.nodes, keys.jobs]);
  const targets = rows.filter((row) => chosen.has(row.id) && isReady(row));
  async function handleStart(): Promise<void> {
    const isSure = await confirmAction({
      title: t(`fleet.ask.${what}`, { count: targets.length, version }),
      text: t('fleet.askText', { name: targets[0]?.name ?? '' }),
      action: t('fleet.start', { count: targets.length }),
      names: targets.map(({ name }) => name),
      isDangerous: false,
    });
    const ids = targets.map(({ id }) => id);
    if (isSure) start.mutate({ body: { what, ids, version, dev: isDev, waveSize } }, { onError: announceFailure });
  }
  const isReadyToStart = targets.length > 0 && !isRunning && (what !== 'core' || version !== '');
  return (
    <TitledCard title={t('fleet.exchange')}>
      <SegmentedControl
        aria-label={t('fleet.exchange')}
        data={WHATS.map((value) => ({ value, label: t(`fleet.what.${value}`) }))}
        value={what}
        onChange={(value) => setParams({ what: value })}
      />
      <Hint>{t(`fleet.whatText.${what}`)}</Hint>
      <Group align="end" className={toolbar['fields'] ?? ''}>
        {what === 'core' && <CoreVersion value={version} onChange={setVersion} />}
        <NumberField
          label={t('fleet.waveSize')}
          min={1}
          max={LARGEST_WAVE}
          value={waveSize}
          onChange={(size) => setWaveSize(size)}
        />
        <Button
          disabled={!isReadyToStart}
          loading={start.isPending}
          onClick={({ currentTarget }) => allFit(currentTarget) && void handleStart()}
        >
          {t('fleet.start', { count: targets.length })}
        </Button>
      </Group>
      {what === 'panel' && <PanelChoice rows={targets} isDev={isDev} onChange={setDev} />}
    </TitledCard>
  );
}

/** Any tag can be typed: a node may reach the release list when this machine does not. */
function CoreVersion({ value, onChange }: { value: string; onChange: (version: string) => void }) {
  const { t } = useTranslation('nodes');
  const { data = [] } = useRead(getCoreVersion, {}, [...keys.core, 'versions'], {
    staleTime: 600_000,
    retry: false,
  });
  return <Autocomplete label={t('fleet.version')} data={data} value={value} onChange={onChange} dir="ltr" />;
}

interface PanelChoiceProps {
  rows: readonly NodeVersions[];
  isDev: boolean;
  onChange: (isDev: boolean) => void;
}

function PanelChoice({ rows, isDev, onChange }: PanelChoiceProps) {
  const { t } = useTranslation('nodes');
  const { data: info } = useRead(getPanelUpdateInfo, {}, ['panelUpdate', 'info'], {
    staleTime: 600_000,
    retry: false,
  });
  const latest = info?.latestVersion ?? '';
  const behind = rows.filter(({ panelVersion }) => isOlder(panelVersion, latest)).length;
  return (
    <>
      {latest !== '' && <Text size="sm">{t('fleet.latest', { version: latest, count: behind })}</Text>}
      <Switch
        label={t('fleet.dev')}
        description={t('fleet.devText')}
        checked={isDev}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </>
  );
}
