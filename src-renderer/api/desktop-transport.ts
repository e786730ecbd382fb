import type { DesktopBridge } from '../../src-main/bridge/contract.ts';
import { createBrowserTransport } from './browser-transport.ts';
import type { Transport } from './transport.ts';

/**
 * The way to a panel from the desktop window: calls are requests to this very origin, which the shell forwards with the
 * credentials of the connection; the live stream, which cannot pass a custom scheme, comes over the bridge.
 */
export function createDesktopTransport(bridge: DesktopBridge): Transport {
  return {
    ...createBrowserTransport('/'),
    // Polled figures are a stream as well, only a slow one.
    listen: (onMessage, onState) =>
      bridge.live.listen(
        (text) => onMessage(JSON.parse(text)),
        (state) => onState(state !== 'down'),
      ),
  };
}
