import { openPanel } from './open-panel.ts';

/** A panel for what its subscription server hands out: inbounds get a public address. */
export async function startSubPanel(startMs: number) {
  const panel = await openPanel({ startMs });
  return {
    ...panel,
    inbound: ({ port, ...more }: { protocol: string; port: number } & Record<string, unknown>): Promise<number> =>
      panel.inbound(port, { listen: '203.0.113.77', streamSettings: undefined, ...more }),
  };
}
