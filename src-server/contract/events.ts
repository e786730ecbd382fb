import type { EventKind } from '../domains/events/contract.ts';

/** Resources whose change makes open pages refetch. */
export type Resource =
  | 'inbounds'
  | 'clients'
  | 'outbounds'
  | 'nodes'
  | 'hosts'
  | 'groups'
  | 'settings'
  | 'events'
  | 'journal';

export type Severity = 'success' | 'info' | 'warning' | 'error';

/**
 * Figures for open pages. Each message and producer is throttled separately, so that producers on one timer do not
 * starve each other.
 */
export interface LiveEvent {
  type: 'live';
  message: 'traffic' | 'client_stats' | 'outbounds' | 'status' | 'jobs' | 'nodes';
  /** Who computes it, when there are several: this panel's core (default) or its nodes. */
  producer?: 'core' | 'nodes';
  data: unknown;
}

/**
 * A managed panel has become unreachable or reachable again. Never sent for the first check after a start.
 * Milliseconds, percent.
 */
export interface NodeEvent {
  type: 'nodeDown' | 'nodeUp';
  nodeId: number;
  name: string;
  latencyMs: number;
  cpuPct: number;
  memPct: number;
  coreState: string;
  coreError: string;
  /** Why it is unreachable; empty for `nodeUp`. */
  error: string;
}

/**
 * What services announce to the rest of the panel. The socket hub, the bot, e-mail and the shell subscribe; producers
 * know none of them.
 */
export type PanelEvent =
  | { type: 'invalidate'; resource: Resource; requestId?: string }
  | { type: 'coreState'; state: 'running' | 'stop' | 'error'; errorText?: string }
  | { type: 'notification'; title: string; body: string; severity: Severity }
  | LiveEvent
  | { type: 'loginAttempt'; ok: boolean; username: string; address: string; reason: string }
  | { type: 'coreCrash'; text: string }
  /** The core's own probes of an outbound failed several times in a row, or succeed again. Milliseconds. */
  | { type: 'outboundDown'; tag: string; delay: number; error: string }
  | { type: 'outboundUp'; tag: string; delay: number }
  | NodeEvent
  /** An event for the desktop window, with its text in each language and the page that shows it. */
  | {
      type: 'told';
      kind: EventKind;
      path: string;
      words: Readonly<Record<string, { title: string; body: string }>>;
    }
  /** Anything else worth announcing, with its facts. */
  | { type: 'happened'; kind: EventKind; facts: Readonly<Record<string, string | number | boolean | null>> };

export type Publish = (event: PanelEvent) => void;
export type Subscribe = (listener: (event: PanelEvent) => void) => () => void;

/** In-process bus. A listener that throws does not stop the others; the error goes to `onError`. */
export function createEventBus(onError: (error: unknown) => void): { publish: Publish; subscribe: Subscribe } {
  const listeners = new Set<(event: PanelEvent) => void>();
  return {
    publish(event) {
      for (const listener of listeners) {
        try {
          listener(event);
        } catch (error) {
          onError(error);
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
