import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { checkInboundPlace } from '#contract/inbounds';
import { CallError } from '../../../api/transport.ts';
import { useCall } from '../../../api/transport-context.tsx';
import { keys } from '../../../api/keys.ts';
import type { Draft } from '../model/draft.ts';
import { readAt } from '../../../forms/draft/json.ts';
import { useDraftState } from './parts/draft-context.tsx';

const WAIT_MS = 350;

/** Checks while typing whether port and address are free. @returns why not; null = free or unknown */
export function usePlaceCheck(id: number): { problem: string | null; isFree: boolean } {
  const call = useCall();
  const place = useDraftState(({ draft }) => placeText(id, draft));
  const [settled] = useDebouncedValue(place, WAIT_MS);
  const check = useQuery({
    queryKey: [...keys.inbounds, 'place', settled],
    queryFn: async ({ signal }) => {
      try {
        const body = JSON.parse(settled) as Parameters<typeof call<typeof checkInboundPlace>>[1]['body'];
        await call(checkInboundPlace, { body }, signal);
        return '';
      } catch (error) {
        if (!(error instanceof CallError) || (error.kind !== 'refused' && error.kind !== 'invalid')) throw error;
        return error.issues.find(({ field }) => field === 'port' || field === 'listen')?.message ?? error.message;
      }
    },
    retry: false,
    staleTime: 5_000,
  });
  const isCurrent = settled === place && check.data !== undefined;
  return { problem: isCurrent && check.data !== '' ? check.data : null, isFree: isCurrent && check.data === '' };
}

/** Only the values the check depends on: other edits do not check again. */
function placeText(id: number, draft: Draft): string {
  return JSON.stringify({
    id,
    listen: draft['listen'],
    port: draft['port'],
    protocol: draft['protocol'],
    nodeId: draft['nodeId'] ?? null,
    serverId: draft['serverId'] ?? null,
    enable: draft['enable'],
    settings: {
      network: readAt(draft, 'settings.network'),
      allowedNetwork: readAt(draft, 'settings.allowedNetwork'),
      udp: readAt(draft, 'settings.udp'),
    },
    streamSettings: { network: readAt(draft, 'streamSettings.network') },
  });
}
