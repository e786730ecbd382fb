import { Alert, Anchor, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../i18n/format.ts';
import { announceFailure } from '../../../ui/notices/announce.ts';
import { confirmAction } from '../../../ui/confirm.tsx';
import { useNow } from '../../../ui/use-now.ts';
import { usePanelRestart } from './restart-store.ts';
import { useRestartPanel } from './use-restart-panel.ts';

/** Usual upper limit of a restart, in seconds: where the bar is full. */
const USUAL_SECONDS = 10;

/** Offers the restart that saved changes need, and shows its progress. */
export function RestartNotice() {
  const { t } = useTranslation(['settings', 'shell']);
  const { phase, target } = usePanelRestart();
  const restart = useRestartButton();
  if (phase === 'idle') return null;
  if (phase === 'running' || phase === 'slow') return <RestartProgress />;
  if (phase === 'needed')
    return (
      <Alert color="yellow" title={t('restart.needed')}>
        <Group justify="space-between">
          <Text size="sm">{target !== null && t('move.text', { address: target })}</Text>
          {restart}
        </Group>
      </Alert>
    );
  if (phase === 'moved')
    return (
      <Alert color="blue" title={t('restart.moved')}>
        {target !== null && <Anchor href={target}>{t('restart.open', { address: target })}</Anchor>}
      </Alert>
    );
  return (
    <Alert
      color={phase === 'back' ? 'teal' : 'yellow'}
      withCloseButton
      closeButtonLabel={t('shell:close')}
      onClose={() => usePanelRestart.getState().reach('idle')}
    >
      {phase === 'back' ? t('restart.back') : t('restart.stayed')}
    </Alert>
  );
}

/** Restarts the panel after a confirmation. */
export function useRestartButton() {
  const { t } = useTranslation(['settings', 'shell']);
  const restart = useRestartPanel();
  const isRunning = usePanelRestart(({ phase }) => phase === 'running' || phase === 'slow');
  const handleClick = async (): Promise<void> => {
    const isSure = await confirmAction({
      title: t('restart.title'),
      text: t('restart.text'),
      action: t('restart.button'),
      isDangerous: false,
    });
    if (isSure) await restart().catch(announceFailure);
  };
  return (
    <Button variant="default" disabled={isRunning} onClick={() => void handleClick()}>
      {t('restart.button')}
    </Button>
  );
}

function RestartProgress() {
  const { t } = useTranslation('settings');
  const format = useFormat();
  const { phase, startedAt, target } = usePanelRestart();
  const nowMs = useNow();
  const seconds = Math.max(0, Math.round((nowMs - startedAt) / 1_000));
  return (
    <Alert color={phase === 'slow' ? 'yellow' : 'blue'}>
      <Stack gap="xs">
        {/* Read out once, with the notice, and not each second. */}
        <Text size="sm" aria-live="off">
          {t('restart.running', { seconds: format.number(seconds) })}
        </Text>
        <Progress value={Math.min(100, (seconds / USUAL_SECONDS) * 100)} aria-label={t('restart.button')} />
        {phase === 'slow' && <Text size="sm">{t('restart.slow')}</Text>}
        {target !== null && <Text size="sm">{t('move.text', { address: target })}</Text>}
      </Stack>
    </Alert>
  );
}
