import { useEffect, useState } from 'react';
import type { ServerView } from '../../../src-main/bridge/contract.ts';
import { requireDesktop } from '../../api/desktop.ts';

/** State of this computer's panel process; null before the first response. */
export function useServerState(): ServerView | null {
  const [state, setState] = useState<ServerView | null>(null);
  useEffect(() => {
    const { server } = requireDesktop();
    const end = server.onState(setState);
    void server.state().then(setState);
    return end;
  }, []);
  return state;
}
