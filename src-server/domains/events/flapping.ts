import type { Schedule } from '../../contract/schedule.ts';
import type { EventKind } from './contract.ts';

export interface Happened {
  kind: EventKind;
  atMs: number;
  facts: Readonly<Record<string, string | number | boolean | null>>;
}

/**
 * The same event about the same subject is repeated only after this time. Sign-ins are always reported: their limiter
 * bounds them.
 */
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
const MAX_REMEMBERED = 10_000;

/** State changes: the last report has to be the true one. */
const topicOf = (kind: EventKind): string => /^(node|outbound)\./.exec(kind)?.[1] ?? kind;

/**
 * Suppresses repetition. For a flapping node, the last state is reported when the quiet time is over, if it differs
 * from the reported one.
 */
export function createQuietTime(schedule: Schedule, pass: (event: Happened) => void) {
  const reportedAtMs = new Map<string, number>();
  /** By topic: the kind reported last, and the event held back since. */
  const topics = new Map<string, { announced: EventKind; kept: Happened | null }>();

  function tell(event: Happened, topic: string, key: string): void {
    if (reportedAtMs.size >= MAX_REMEMBERED) reportedAtMs.delete(reportedAtMs.keys().next().value!);
    if (topics.size >= MAX_REMEMBERED) topics.delete(topics.keys().next().value!);
    reportedAtMs.set(key, event.atMs);
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
    const last = reportedAtMs.get(key);
    const restMs = last === undefined ? 0 : last + quietMs - event.atMs;
    // A clock that was set back must not suppress anything for long.
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

/** The subject of an event, as a summary lists it. */
export function nameOf({ facts }: Pick<Happened, 'facts'>): string {
  const { name, tag, email, username, subject } = facts;
  return String(name ?? tag ?? email ?? username ?? subject ?? '');
}
