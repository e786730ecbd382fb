import type { Publish } from '../../contract/events.ts';
import type { Schedule, Timer } from '../../contract/schedule.ts';
import type { Core } from '../../core/core.ts';
import type { ActivePanel, ServerStatus } from './contract.ts';
import type { MachineFigures } from './machine/machine-types.ts';
import type { Machine } from './machine/machine.ts';
import { presentStatus, type PanelIdentity } from './present.ts';

const REFRESH_MS = 2_000;

/**
 * Reads the machine every two seconds and pushes to open pages. A slow reading skips rounds instead of queueing them.
 */
export function createStatusFeed(options: {
  machine: Machine;
  core: Pick<Core, 'status'>;
  panel: PanelIdentity;
  clock: () => number;
  schedule: Schedule;
  publish: Publish;
  /** Why the web port is not served as configured; null when there is no problem. */
  webProblem: () => string | null;
  /** The active panel while this one is on standby; null = this one is active. */
  active: () => ActivePanel | null;
  /** Called with every reading, for the histories. */
  onReading?: (status: ServerStatus) => void;
  /** Whether any page receives the status; sampling runs regardless. */
  hasListeners: () => boolean;
}) {
  const { machine, core, panel, clock, schedule, publish, hasListeners, webProblem, active, onReading } = options;
  let figures: MachineFigures | null = null;
  let rounds: Timer | null = null;

  function current(): ServerStatus {
    if (figures === null) throw new Error('the status feed was not started');
    return presentStatus(figures, core.status(), { ...panel, webProblem: webProblem(), active: active() }, clock());
  }

  return {
    /** Takes the first reading and starts the rounds. */
    async start(): Promise<void> {
      figures = await machine.collect();
      rounds = schedule.every(REFRESH_MS, async () => {
        figures = await machine.collect();
        const status = current();
        onReading?.(status);
        if (hasListeners()) publish({ type: 'live', message: 'status', data: status });
      });
    },
    /** The last reading, with the current state of the core. @throws before {@link StatusFeed.start} has resolved */
    current,
    close: (): void => rounds?.cancel(),
  };
}
export type StatusFeed = ReturnType<typeof createStatusFeed>;
