import { openPanel } from './open-panel.ts';

/** A panel for tests of its subscription server: inbounds get a public address. */
export async function startSubPanel(startMs: number) {
  const panel = await openPanel({ startMs });
  return {
    ...panel,
    inbound: ({ port, ...more }: { protocol: string; port: number } & Record<string, unknown>): Promise<number> =>
      panel.inbound(port, { listen: '203.0.113.77', streamSettings: undefined, ...more }),
  };
}
