import { useCallback } from 'react';
import { logout } from '#contract/session';
import { useCall, useTransport } from '../../api/transport-context.tsx';
import { announceFailure } from '../../ui/notices/announce.ts';

/** Ends the session and opens the sign-in page. A refusal is shown, and the session stays. */
export function useSignOut(): () => void {
  const call = useCall();
  const transport = useTransport();
  return useCallback(() => {
    call(logout, {}).then(() => location.assign(transport.fileUrl('')), announceFailure);
  }, [call, transport]);
}
