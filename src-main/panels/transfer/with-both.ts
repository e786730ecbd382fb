import type { PanelCalls } from '../jobs/panel-calls.ts';

/** Uses the two panels of a transfer. @throws {JobFailure} when one cannot be opened */
export type WithBoth = (
  panels: { fromId: string; toId: string },
  use: (from: PanelCalls, to: PanelCalls) => Promise<void>,
) => Promise<void>;

/** Opens both panels for each use, and closes them after it. */
export const withBothOf =
  (open: (panelId: string) => PanelCalls): WithBoth =>
  async ({ fromId, toId }, use) => {
    const from = open(fromId);
    try {
      const to = open(toId);
      await use(from, to).finally(() => to.close());
    } finally {
      from.close();
    }
  };
