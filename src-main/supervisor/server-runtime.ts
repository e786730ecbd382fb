import type { PanelEvent } from '../../src-server/contract/events.ts';
import type { PanelPlace } from './state.ts';

/** Credentials of a first start, to be shown once. */
export interface FirstAdmin {
  username: string;
  password: string;
}

/** Messages from the panel process to the window's process. */
export type FromServer =
  | { type: 'ready'; place: PanelPlace; firstAdmin: FirstAdmin | null }
  | { type: 'event'; event: PanelEvent }
  /** Response to `signInLink`: a one-time address that signs a browser in. */
  | { type: 'signInLink'; url: string };

/** Messages from the window's process to the panel. */
export type ToServer = 'stop' | 'suspend' | 'resume' | 'signInLink';

export interface ServerHooks<From = FromServer> {
  onMessage(message: From): void;
  /** One line of its output. */
  onLine(line: string): void;
  /** `code` null: ended by a signal. Called once. */
  onExit(code: number | null): void;
}

export interface ServerProcess<To = ToServer> {
  send(message: To): void;
  kill(): void;
}

/** Starts our processes, the panel's or another: a utility process of Electron, or a separate Node in development. */
export interface ServerRuntime<From = FromServer, To = ToServer> {
  start(args: readonly string[], hooks: ServerHooks<From>): ServerProcess<To>;
}
