import { isDatabaseAway } from '../../contract/database-away.ts';
import type { Logger } from '../../contract/logger.ts';
import type { Store } from '../../store/open-store.ts';
import type { Secrets } from '../../store/secrets/secrets.ts';
import type { SettingKey, Settings } from './contract.ts';
import { readRows } from './repository.ts';
import { fromStored, SETTING_KEYS } from './stored-values.ts';

/** How often {@link SettingsSnapshot.current} checks whether another process saved. */
const LOOK_EVERY_MS = 1000;

/** Called after a change: the settings in effect now and before, and which of them differ. */
export type SettingsListener = (change: {
  current: Settings;
  previous: Settings;
  changed: ReadonlySet<SettingKey>;
}) => void;

/** The settings in memory, kept in sync with the stored ones. */
export interface SettingsSnapshot {
  /**
   * Settings in effect: stored ones, overridden by command-line values. Lags behind other processes until the next
   * check: {@link refresh}.
   */
  current(): Settings;
  /** As stored, without command-line values. */
  stored(): Settings;
  /**
   * Checks now whether another process saved, and adopts it: one pragma when nothing changed. Never fails; when the
   * database cannot be read, the last known settings stay.
   */
  refresh(): Promise<void>;
  /** Values that override for this run and are never stored: command-line flags, the port that was really bound. */
  override(values: Partial<Settings>): void;
  /** @returns the unsubscribe function. */
  onChange(listener: SettingsListener): () => void;
}

export async function createSnapshot(deps: {
  store: Store;
  secrets: Secrets;
  clock: () => number;
  log: Logger;
}): Promise<SettingsSnapshot> {
  const { store, secrets, clock, log } = deps;
  const listeners = new Set<SettingsListener>();
  let overrides: Partial<Settings> = {};
  let seenVersion = -1;
  let seenRows: ReadonlyMap<string, string> = new Map();
  let stored = fromStored(seenRows, secrets).settings;
  let effective = stored;
  let lastLookMs = clock();
  let reading: Promise<void> = Promise.resolve();

  function useEffective(next: Settings): void {
    const previous = effective;
    effective = next;
    const changed = new Set(SETTING_KEYS.filter((key) => next[key] !== previous[key]));
    if (changed.size === 0) return;
    for (const listener of listeners) {
      try {
        listener({ current: next, previous, changed });
      } catch (error) {
        log.error('settings.listenerFailed', { error });
      }
    }
  }

  async function read(): Promise<void> {
    // Read first: a commit between the two reads is then seen by the next check.
    const version = await store.dataVersion();
    if (version === seenVersion) return;
    const rows = await readRows(store.reader, SETTING_KEYS);
    const isFirst = seenVersion === -1;
    seenVersion = version;
    if (!isFirst && rows.size === seenRows.size && [...rows].every(([key, value]) => seenRows.get(key) === value))
      return;
    seenRows = rows;
    const { settings, complaints } = fromStored(rows, secrets);
    for (const { setting, problem } of complaints) log.error(`settings.${problem}`, { setting });
    stored = settings;
    useEffective({ ...stored, ...overrides });
  }

  function refresh(): Promise<void> {
    reading = reading.then(read).catch((error: unknown) => {
      if (!isDatabaseAway(error)) log.error('settings.refreshFailed', { error });
    });
    return reading;
  }

  await read();
  return {
    current() {
      const nowMs = clock();
      if (Math.abs(nowMs - lastLookMs) >= LOOK_EVERY_MS) {
        lastLookMs = nowMs;
        void refresh();
      }
      return effective;
    },
    stored: () => stored,
    refresh,
    override(values) {
      overrides = { ...overrides, ...values };
      useEffective({ ...stored, ...overrides });
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
