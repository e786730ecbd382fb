import { expect, it } from 'vitest';
import type { DesktopBridge, LiveState } from '../../src-main/bridge/contract.ts';
import { createDesktopTransport } from './desktop-transport.ts';

it('takes live messages from the bridge; polling counts as connected', () => {
  let tell: { message: (text: string) => void; state: (state: LiveState) => void } | null = null;
  let hasEnded = false;
  const bridge = {
    live: {
      listen(message: (text: string) => void, state: (state: LiveState) => void) {
        tell = { message, state };
        return () => (hasEnded = true);
      },
    },
  } as unknown as DesktopBridge;
  const seen: unknown[] = [];
  const end = createDesktopTransport(bridge).listen(
    (message) => seen.push(message),
    (isUp) => seen.push(isUp),
  );
  for (const state of ['down', 'up', 'polling'] as const) tell!.state(state);
  tell!.message('{"type":"status"}');
  end();
  expect(seen).toEqual([false, true, true, { type: 'status' }]);
  expect(hasEnded).toBe(true);
});
