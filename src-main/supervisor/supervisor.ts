import type { PanelEvent } from '../../src-server/contract/events.ts';
import type { FirstAdmin, FromServer, ServerProcess, ServerRuntime, ToServer } from './server-runtime.ts';
import { next, STOPPED, type PanelPlace, type ServerState, type SupervisorEvent } from './state.ts';

/** Lines of output kept for the page that explains a crash. */
const KEPT_LINES = 60;

export interface SupervisorDeps {
  runtime: ServerRuntime;
  /** Arguments of the next run. @param last the last run's report about itself; null before that. */
  argsFor: (last: PanelPlace | null) => readonly string[];
  clock: () => number;
  random: () => number;
  /** Whether a core runs that a killed panel left behind. */
  isCoreLeft: () => Promise<boolean>;
  onState: (state: ServerState) => void;
  onEvent: (event: PanelEvent) => void;
  onFirstAdmin: (admin: FirstAdmin) => void;
  onLine: (line: string) => void;
}

/** Keeps one panel process running by the rules of {@link next}. */
export interface Supervisor {
  state(): ServerState;
  /** The panel's last lines of output, oldest first. */
  lines(): readonly string[];
  start(): void;
  /** Asks the panel to stop and resolves when its process and its core are gone. */
  stop(): Promise<void>;
  /** Where the panel is, as soon as it runs. @throws {Error} when it failed or was stopped. */
  place(): Promise<PanelPlace>;
  tell(message: Exclude<ToServer, 'stop'>): void;
  /** A one-time address that signs a browser in. Null when the panel does not run. */
  signInLink(): Promise<string | null>;
}

export function createSupervisor(deps: SupervisorDeps): Supervisor {
  let state: ServerState = STOPPED;
  let child: ServerProcess | null = null;
  let lastPlace: PanelPlace | null = null;
  let alarm: NodeJS.Timeout | undefined;
  const lines: string[] = [];
  const watchers = new Set<() => void>();
  const linkWaiters: ((url: string | null) => void)[] = [];

  function feed(event: SupervisorEvent): void {
    const [after, actions] = next(state, event, deps.clock(), deps.random());
    const changed = after !== state;
    state = after;
    for (const action of actions) {
      if (action.kind === 'spawn') spawn();
      else if (action.kind === 'sendStop') child?.send('stop');
      else if (action.kind === 'kill') child?.kill();
      else {
        clearTimeout(alarm);
        if (action.kind === 'wake') alarm = setTimeout(() => feed({ kind: 'alarm' }), action.afterMs);
      }
    }
    if (!changed) return;
    deps.onState(state);
    for (const watcher of watchers) watcher();
  }

  function spawn(): void {
    const running = deps.runtime.start(deps.argsFor(lastPlace), {
      onLine: keepLine,
      onMessage: take,
      onExit(code) {
        // A late message of an earlier process does not affect this one.
        if (child !== running) return;
        child = null;
        for (const resolve of linkWaiters.splice(0)) resolve(null);
        feed({ kind: 'exited', code, lastError: lines.at(-1) ?? '' });
      },
    });
    child = running;
  }

  function take(message: FromServer): void {
    if (message.type === 'event') return deps.onEvent(message.event);
    if (message.type === 'signInLink') return linkWaiters.shift()?.(message.url);
    lastPlace = message.place;
    if (message.firstAdmin !== null) deps.onFirstAdmin(message.firstAdmin);
    return feed({ kind: 'ready', place: message.place });
  }

  function keepLine(line: string): void {
    lines.push(line);
    if (lines.length > KEPT_LINES) lines.shift();
    deps.onLine(line);
  }

  /** Resolves as soon as `read` returns something other than undefined. */
  function settled<T>(read: () => T | undefined): Promise<T> {
    return new Promise((resolve) => {
      const look = (): void => {
        const value = read();
        if (value === undefined) return;
        watchers.delete(look);
        resolve(value);
      };
      watchers.add(look);
      look();
    });
  }

  /** A core outlives a killed panel, which saves its counters: one more run reads it to the end and ends it. */
  async function endCoreLeft(): Promise<void> {
    const isDown = state.kind === 'backingOff' || state.kind === 'failed';
    if (!isDown || !(await deps.isCoreLeft())) return;
    feed({ kind: 'startRequested' });
    await settled(() => (state.kind === 'starting' ? undefined : true));
  }

  return {
    state: () => state,
    lines: () => lines,
    start: () => feed({ kind: 'startRequested' }),
    async stop() {
      await endCoreLeft();
      feed({ kind: 'stopRequested' });
      await settled(() => (state.kind === 'stopped' ? true : undefined));
    },
    async place() {
      const place = await settled(() => {
        if (state.kind === 'running') return state.place;
        return state.kind === 'failed' || state.kind === 'stopped' ? null : undefined;
      });
      if (place === null) throw new Error('the panel of this computer does not run');
      return place;
    },
    tell: (message) => child?.send(message),
    signInLink() {
      const running = child;
      if (running === null || state.kind !== 'running') return Promise.resolve(null);
      return new Promise((resolve) => {
        linkWaiters.push(resolve);
        running.send('signInLink');
      });
    },
  };
}
