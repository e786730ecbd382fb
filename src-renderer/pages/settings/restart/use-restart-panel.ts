import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { getStatus } from '#contract/server';
import { restartPanel } from '#contract/settings';
import { CallError } from '../../../api/transport.ts';
import { desktopBridge } from '../../../api/desktop.ts';
import { useCall, type Caller } from '../../../api/transport-context.tsx';
import { useConnection } from '../../../stores/connection.ts';
import { usePanelRestart } from './restart-store.ts';
import { panelOf } from './use-next-address.ts';

const LOOK_EVERY_MS = 1_000;
/** A panel that stays silent at its old address for this long has moved. */
const MOVED_AFTER_MS = 8_000;
const SLOW_AFTER_MS = 30_000;

/**
 * Restarts the panel and waits for it, at its new address if it moves. A given action, such as an import, does the
 * restart. @throws what the action throws.
 */
export function useRestartPanel(): (action?: () => Promise<unknown>) => Promise<void> {
  const call = useCall();
  const cache = useQueryClient();
  return useCallback(
    async (action = () => call(restartPanel, {})) => {
      const pid = await processOf(call);
      await action();
      usePanelRestart.getState().begin(Date.now());
      await follow(call, pid);
      if (usePanelRestart.getState().phase !== 'moved') await cache.invalidateQueries();
    },
    [call, cache],
  );
}

async function processOf(call: Caller): Promise<number> {
  return (await call(getStatus, {})).appStats.pid;
}

/** Resolves when another process answers, or when this page was sent to the new address. */
async function follow(call: Caller, before: number): Promise<void> {
  const { startedAt, reach, stay } = usePanelRestart.getState();
  const bridge = desktopBridge();
  let goneSince: number | null = null;
  for (;;) {
    const { target } = usePanelRestart.getState();
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    const seen = await look(call, before);
    if (seen === 'new') {
      // The live stream may be slow to notice, and changes are refused until then.
      useConnection.getState().setReachable(true);
      return reach(target === null ? 'back' : 'stayed');
    }
    if (seen === 'old') goneSince = null;
    else goneSince ??= Date.now();
    const goneMs = goneSince === null ? 0 : Date.now() - goneSince;
    // On another path of the same origin the new process already answers; it just does not know this path. Opening it
    // earlier would show the browser's error page. Another origin may not be asked; there only silence tells.
    if (target !== null && (seen === 'elsewhere' || (isElsewhere(target) && goneMs >= MOVED_AFTER_MS))) {
      if (bridge === null) {
        reach('moved');
        location.assign(target);
        return;
      }
      // The page of the window stays; only its connection leads elsewhere from now on.
      await bridge.connections.moved(panelOf(target));
      stay();
    }
    if (Date.now() - startedAt > SLOW_AFTER_MS) reach('slow');
  }
}

const isElsewhere = (target: string): boolean => new URL(target, location.href).origin !== location.origin;

async function look(call: Caller, before: number): Promise<'old' | 'new' | 'gone' | 'elsewhere'> {
  try {
    return (await processOf(call)) === before ? 'old' : 'new';
  } catch (error) {
    if (!(error instanceof CallError) || error.kind === 'network' || error.isGateway) return 'gone';
    return error.kind === 'signedOut' ? 'new' : 'elsewhere';
  }
}
