import { Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { CountedInbound } from '#contract/inbounds';
import type { ServerStatus } from '#contract/server';
import { useStatus } from '../../overview/use-status.ts';
import { useServers } from '../use-servers.ts';

type CoreState = Pick<ServerStatus['core'], 'state' | 'leftOut'>;

/** Why an enabled inbound accepts no clients on its machine, beside its name; empty while it runs. */
export function NotRunning({ inbound }: { inbound: CountedInbound }) {
  const { t } = useTranslation('inbounds');
  const core = useCoreOf()(inbound);
  const { enable, tag } = inbound;
  if (!enable || core === undefined || !isDown(core, tag)) return null;
  // The row already names the inbound.
  const reason = leftOutOf(core, tag)?.reason.replace(/^Inbound .* does not run: /, '');
  return (
    <Text size="xs" c="var(--mantine-color-error)" component="div">
      <IconAlertTriangle size={14} aria-hidden style={{ verticalAlign: 'text-bottom' }} />{' '}
      {core.awayName !== undefined
        ? t('serverAway', { name: `\u2068${core.awayName}\u2069` })
        : reason === undefined
          ? t('coreStopped')
          : t('notRunning', { reason: `\u2068${reason}\u2069` })}
    </Text>
  );
}

/** Whether an inbound of this machine, or of another server, is on but accepts no clients; false while unknown. */
export function useIsNotRunning(): (inbound: CountedInbound) => boolean {
  const coreOf = useCoreOf();
  return (inbound) => {
    const core = coreOf(inbound);
    return inbound.enable && core !== undefined && isDown(core, inbound.tag);
  };
}

/** The core that should run an inbound. `awayName`: its unreachable server. Undefined = a node's, or unknown. */
function useCoreOf(): (inbound: CountedInbound) => (CoreState & { awayName?: string }) | undefined {
  const { data: own } = useStatus(runningPart);
  const servers = useServers();
  return ({ nodeId, serverId }) => {
    if (nodeId !== null) return undefined;
    if (!serverId) {
      const here = [...servers.values()].find(({ isHere }) => isHere);
      return here === undefined || here.state === 'active' ? own : undefined;
    }
    if (servers.size === 0) return undefined;
    const server = servers.get(serverId);
    if (server === undefined || server.state === 'away')
      return { state: 'stop', leftOut: [], awayName: server?.name ?? serverId };
    return server.isHere ? own : (server.core ?? undefined);
  };
}

const leftOutOf = ({ leftOut }: CoreState, tag: string) =>
  leftOut.find(({ kind, name }) => kind === 'inbound' && name === tag);

const isDown = (core: CoreState, tag: string): boolean =>
  core.state !== 'running' || leftOutOf(core, tag) !== undefined;

function runningPart({ core: { state, leftOut } }: ServerStatus): CoreState {
  return { state, leftOut };
}
