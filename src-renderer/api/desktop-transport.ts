import type { DesktopBridge } from '../../src-main/bridge/contract.ts';
import { CONFIRM_FIRST } from '../../src-main/bridge/lock.ts';
import { createBrowserTransport } from './browser-transport.ts';
import type { Transport } from './transport.ts';

/**
 * The desktop window's connection to a panel: calls are requests to its own origin, which the shell forwards with the
 * credentials of the connection; the live stream, which cannot use a custom scheme, comes over the bridge.
 */
export function createDesktopTransport(bridge: DesktopBridge): Transport {
  const browser = createBrowserTransport('/');
  return {
    ...browser,
    async send(request) {
      const response = await browser.send(request);
      if (response.errorCode !== CONFIRM_FIRST) return response;
      const { confirmFirst } = await import('./confirm-first.tsx');
      return (await confirmFirst()) ? browser.send(request) : response;
    },
    // Polled figures are a stream too, only a slow one.
    listen: (onMessage, onState) =>
      bridge.live.listen(
        (text) => onMessage(JSON.parse(text)),
        (state) => onState(state !== 'down'),
      ),
  };
}
