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
  const [asked] = useDebouncedValue(place, WAIT_MS);
  const answer = useQuery({
    queryKey: [...keys.inbounds, 'place', asked],
    queryFn: async ({ signal }) => {
      try {
        const body = JSON.parse(asked) as Parameters<typeof call<typeof checkInboundPlace>>[1]['body'];
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
  const isCurrent = asked === place && answer.data !== undefined;
  return { problem: isCurrent && answer.data !== '' ? answer.data : null, isFree: isCurrent && answer.data === '' };
}

/** Only the values the check depends on: other edits do not ask again. */
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
