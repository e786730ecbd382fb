import type { Schedule } from '../../contract/schedule.ts';
import type { EventKind } from './contract.ts';

export interface Happened {
  kind: EventKind;
  atMs: number;
  facts: Readonly<Record<string, string | number | boolean | null>>;
}

/** The same thing about the same one is told again after this time. Sign-ins are told each: their limiter bounds them. */
const QUIET_MS: Partial<Record<EventKind, number>> = {
  'node.down': 60_000,
  'node.up': 60_000,
  'outbound.down': 60_000,
  'outbound.up': 60_000,
  'core.crash': 60_000,
  'backup.failed': 60_000,
  'client.addresses': 3_600_000,
  'traffic.quarantined': 600_000,
};
const MOST_REMEMBERED = 10_000;

/** What goes up and down: the last word has to be the true one. */
const topicOf = (kind: EventKind): string => /^(node|outbound)\./.exec(kind)?.[1] ?? kind;

/**
 * Keeps what repeats itself quiet. Of a node that comes and goes all the time the last state is told when the quiet time is
 * over, if it differs from the one that was told.
 */
export function createQuietTime(schedule: Schedule, pass: (event: Happened) => void) {
  const toldAtMs = new Map<string, number>();
  /** By topic: the kind that was told last, and what was kept since. */
  const topics = new Map<string, { announced: EventKind; kept: Happened | null }>();

  function tell(event: Happened, topic: string, key: string): void {
    if (toldAtMs.size >= MOST_REMEMBERED) toldAtMs.delete(toldAtMs.keys().next().value!);
    if (topics.size >= MOST_REMEMBERED) topics.delete(topics.keys().next().value!);
    toldAtMs.set(key, event.atMs);
    topics.set(topic, { announced: event.kind, kept: null });
    pass(event);
  }

  return function take(event: Happened): void {
    const quietMs = QUIET_MS[event.kind];
    if (quietMs === undefined) {
      pass(event);
      return;
    }
    const name = nameOf(event);
    const topic = `${topicOf(event.kind)} ${name}`;
    const key = `${event.kind} ${name}`;
    const last = toldAtMs.get(key);
    const restMs = last === undefined ? 0 : last + quietMs - event.atMs;
    // A clock that was set back must not keep anything quiet for long.
    if (restMs <= 0 || restMs > quietMs) {
      tell(event, topic, key);
      return;
    }
    const state = topics.get(topic) ?? { announced: event.kind, kept: null };
    const isWatched = state.kept !== null;
    state.kept = event;
    topics.set(topic, state);
    if (isWatched) return;
    schedule.after(restMs, () => {
      const { announced, kept } = topics.get(topic) ?? { announced: event.kind, kept: null };
      if (kept === null) return;
      if (kept.kind === announced) topics.set(topic, { announced, kept: null });
      else tell(kept, topic, `${kept.kind} ${name}`);
    });
  };
}

/** Whom or what it is about, as a summary lists it. */
export function nameOf({ facts }: Pick<Happened, 'facts'>): string {
  const { name, tag, email, username, subject } = facts;
  return String(name ?? tag ?? email ?? username ?? subject ?? '');
}
