import type { EventKind } from './contract.ts';

/** One event with its facts. */
export interface StoredEvent {
  id: number;
  kind: EventKind;
  atMs: number;
  facts: Readonly<Record<string, string | number | boolean | null>>;
}

/** A way to deliver events to a person or a program. */
export interface Channel {
  /** `bot`, `email`, `webhook:3`, …: the channel's name in the queue. */
  readonly name: string;
  /** Whether this kind is subscribed to (by the current settings). */
  wants(event: StoredEvent): boolean;
  /** Rejects when delivery failed; with {@link PermanentFailure} when a retry is useless. */
  deliver(event: StoredEvent, signal: AbortSignal): Promise<void>;
}

/** The peer understood and will never accept it: no such mailbox, or a body it refuses. */
export class PermanentFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PermanentFailure';
  }
}
