import type { Store } from '../../store/open-store.ts';
import type { Settings } from '../settings/contract.ts';
import type { StoredEvent } from './channel.ts';
import { EVENT_KINDS, type EventKind, type FailedDelivery, type ShownEvent, type Subscriber } from './contract.ts';
import { eventText } from './event-text.ts';
import { kindsOf } from './kinds-of.ts';
import type { Registered } from './registration.ts';
import * as rows from './repository.ts';
import * as lists from './repository-list.ts';

const MAX_FAILED = 100;
/** The badge shows "99+". */
const MAX_UNREAD = 100;
/** No CPU load is above it. */
const NEVER_PERCENT = 101;

/** The list in the panel itself, to which nothing is delivered. */
export const PANEL_LIST = {
  name: 'panel',
  label: '',
  setting: 'panelEnabledEvents',
  isOn: true,
  waiting: 0,
  dead: 0,
  lastError: '',
} as const;

/** Reads events and their queues for display. */
export interface EventViews {
  list(query: {
    language: string;
    /** Comma list; empty = the kinds shown in the panel's list. */
    kinds: string;
    before: number;
    limit: number;
  }): Promise<{ events: ShownEvent[]; unread: number; readUpTo: number }>;
  markRead(upTo: number): Promise<{ unread: number }>;
  subscribers(): Promise<Subscriber[]>;
  failed(language: string): Promise<FailedDelivery[]>;
  /** Whether the panel's list shows this event. */
  isListed(kind: EventKind, facts: StoredEvent['facts']): boolean;
}

export function createEventViews(deps: {
  store: Store;
  settings: { current(): Settings };
  readMark: { read(): Promise<number>; write(id: number): Promise<void> };
  registered: () => Iterable<Registered>;
  changed: () => void;
}): EventViews {
  const { store, settings, readMark, registered, changed } = deps;
  const zone = (): string => settings.current().timeLocation;
  const panelCpu = (): number => settings.current().panelCpu || NEVER_PERCENT;
  const panelKinds = (): EventKind[] => kindsOf(settings.current().panelEnabledEvents);
  const unreadAfter = (id: number): Promise<number> =>
    lists.countAfter(store.reader, { kinds: panelKinds(), cpuPercent: panelCpu() }, id, MAX_UNREAD);

  return {
    isListed(kind, facts) {
      if (!panelKinds().includes(kind)) return false;
      return kind !== 'cpu.high' || Number(facts['percent']) > panelCpu();
    },
    async list({ language, kinds, before, limit }) {
      const chosen = kinds === '' ? panelKinds() : kindsOf(kinds);
      const readUpTo = await readMark.read();
      const found = await lists.listedEvents(store.reader, { kinds: chosen, cpuPercent: panelCpu(), before, limit });
      return {
        events: found.map((row) => shown(rows.toEvent(row), language, zone())),
        unread: await unreadAfter(readUpTo),
        readUpTo,
      };
    },
    async markRead(upTo) {
      const known = Math.min(upTo, await rows.lastEventId(store.reader));
      if (known > (await readMark.read())) {
        await readMark.write(known);
        changed();
      }
      return { unread: await unreadAfter(Math.max(known, await readMark.read())) };
    },
    async subscribers() {
      const counts = await lists.queueCounts(store.reader);
      const countOf = (name: string, state: string) =>
        counts.find((one) => one.channel === name && one.state === state) ?? { count: 0, lastError: '' };
      const channels = [...registered()].map(({ channel: { name }, registration }): Subscriber => {
        const { label, setting, kinds, offers = EVENT_KINDS, isOn } = registration;
        const [waits, dead] = [countOf(name, 'waiting'), countOf(name, 'dead')];
        return {
          name,
          label: label?.() ?? '',
          setting: setting ?? '',
          kinds: setting === undefined ? [...(kinds?.() ?? [])] : kindsOf(settings.current()[setting]),
          offers: [...offers],
          isOn: isOn?.() ?? true,
          waiting: waits.count,
          dead: dead.count,
          lastError: waits.lastError || dead.lastError,
        };
      });
      return [{ ...PANEL_LIST, kinds: panelKinds(), offers: [...EVENT_KINDS] }, ...channels];
    },
    async failed(language) {
      const found = await lists.deadDeliveries(store.reader, MAX_FAILED);
      return found.map(({ channel, attempts, lastError, ...row }) => {
        const event = rows.toEvent(row);
        const { title } = eventText(event, language, zone());
        return { channel, eventId: event.id, kind: event.kind, title, at: event.atMs, attempts, error: lastError };
      });
    },
  };
}

function shown(event: StoredEvent, language: string, zone: string): ShownEvent {
  const { id, kind, atMs, facts } = event;
  return { id, kind, at: atMs, ...eventText(event, language, zone), facts: { ...facts } };
}
