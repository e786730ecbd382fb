import { getHost, getHostGroup, type Host, type HostGroup } from '#contract/hosts';
import type { Caller } from '../../../api/transport-context.tsx';

/** @param what as in the address: `5` = a host, `group:abc` = a group; null for new ones */
export async function readHost(call: Caller, what: string, signal: AbortSignal): Promise<Host | HostGroup | null> {
  const [kind = '', argument = ''] = what.split(':');
  if (kind === 'new' || kind === 'many') return null;
  return kind === 'group'
    ? call(getHostGroup, { params: { groupId: argument } }, signal)
    : call(getHost, { params: { id: kind } }, signal);
}
