import type { PanelEvent } from '../../src-server/contract/events.ts';
import type { PanelPlace } from './state.ts';

/** Credentials of a first start, to be shown once. */
export interface FirstAdmin {
  username: string;
  password: string;
}

/** What the panel process tells the window's process. */
export type FromServer =
  | { type: 'ready'; place: PanelPlace; firstAdmin: FirstAdmin | null }
  | { type: 'event'; event: PanelEvent }
  /** Answer to `signInLink`: a one-time address that signs a browser in. */
  | { type: 'signInLink'; url: string };

/** What the window's process tells the panel. */
export type ToServer = 'stop' | 'suspend' | 'resume' | 'signInLink';

export interface ServerHooks {
  onMessage(message: FromServer): void;
  /** One line of its output. */
  onLine(line: string): void;
  /** `code` null: ended by a signal. Called once. */
  onExit(code: number | null): void;
}

export interface ServerProcess {
  send(message: ToServer): void;
  kill(): void;
}

/**
 * Arguments for V8. By itself it keeps 100 MiB more resident with 100,000 clients and lets garbage grow to three times of what
 * is in use; a panel gains nothing from either.
 */
export const PANEL_EXEC_ARGV: readonly string[] = ['--max-semi-space-size=4', '--heap-growing-percent=60'];

/** Environment of the panel. For glibc, whose pools per thread give little back; others do not look at it. */
export const panelEnv = (): NodeJS.ProcessEnv => ({
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '131072',
  ...process.env,
});

/** Starts panel processes: a utility process of Electron, or a Node beside it in development. */
export interface ServerRuntime {
  start(args: readonly string[], hooks: ServerHooks): ServerProcess;
}
