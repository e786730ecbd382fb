import type { EventKind } from './contract.ts';

/** One thing that happened, with its facts. */
export interface StoredEvent {
  id: number;
  kind: EventKind;
  atMs: number;
  facts: Readonly<Record<string, string | number | boolean | null>>;
}

/** A way in which events reach a person or a program. */
export interface Channel {
  /** `bot`, `email`, `webhook:3`, …: what the queue knows it by. */
  readonly name: string;
  /** Whether it chose this kind (settings as they are now). */
  wants(event: StoredEvent): boolean;
  /** Rejects when it did not arrive; with {@link PermanentFailure} when trying again is of no use. */
  deliver(event: StoredEvent, signal: AbortSignal): Promise<void>;
}

/** The peer has understood and will never take it: no mailbox, a body it refuses. */
export class PermanentFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PermanentFailure';
  }
}
