import { Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { CountedInbound } from '#contract/inbounds';
import type { ServerStatus } from '#contract/server';
import { useStatus } from '../../overview/use-status.ts';

/** Why an inbound that is on lets nobody in on this machine, beside its name; nothing while it runs. */
export function NotRunning({ inbound: { enable, nodeId, tag } }: { inbound: CountedInbound }) {
  const { t } = useTranslation('inbounds');
  const { data: core } = useStatus(runningPart);
  if (!enable || nodeId !== null || core === undefined) return null;
  const leftOut = core.leftOut.find(({ kind, name }) => kind === 'inbound' && name === tag);
  if (core.state === 'running' && leftOut === undefined) return null;
  // The row says which inbound it is about.
  const reason = leftOut?.reason.replace(/^Inbound .* does not run: /, '');
  return (
    <Text size="xs" c="var(--mantine-color-error)" component="div">
      <IconAlertTriangle size={14} aria-hidden style={{ verticalAlign: 'text-bottom' }} />{' '}
      {reason === undefined ? t('coreStopped') : t('notRunning', { reason: `\u2068${reason}\u2069` })}
    </Text>
  );
}

/** Whether an inbound of this machine is on and lets nobody in; false while that is not known. */
export function useIsNotRunning(): (inbound: CountedInbound) => boolean {
  const { data: core } = useStatus(runningPart);
  return ({ enable, nodeId, tag }) =>
    enable &&
    nodeId === null &&
    core !== undefined &&
    (core.state !== 'running' || core.leftOut.some(({ kind, name }) => kind === 'inbound' && name === tag));
}

function runningPart({ core: { state, leftOut } }: ServerStatus): Pick<ServerStatus['core'], 'state' | 'leftOut'> {
  return { state, leftOut };
}
