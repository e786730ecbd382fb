import { create } from 'zustand';
import type { SettingKey, SettingsSave, SettingsView } from '#contract/settings';
import { isSecretKey } from './sections.ts';

type Value = string | number | boolean;
/** What was typed and is not saved, by setting. */
export type Changes = Readonly<Partial<Record<SettingKey, Value>>>;
/** Secrets that the save erases: a blank one is kept. */
type Erased = ReadonlySet<ErasableKey>;
export type ErasableKey = 'tgBotToken' | 'tgBotBackupPassphrase' | 'smtpPassword' | 'ldapPassword';

const CLEAR_FLAGS = {
  tgBotToken: 'clearTgBotToken',
  tgBotBackupPassphrase: 'clearTgBotBackupPassphrase',
  smtpPassword: 'clearSmtpPassword',
  ldapPassword: 'clearLdapPassword',
} as const satisfies Record<ErasableKey, keyof SettingsSave>;

interface SettingsDraft {
  changes: Changes;
  erased: Erased;
  /** Reasons of the last refusal, by setting. */
  refused: Readonly<Partial<Record<SettingKey, string>>>;
  /** Takes one value; the stored one (or a blank secret) is no change. */
  set: (key: SettingKey, value: Value, stored: SettingsView) => void;
  setErased: (key: ErasableKey, isErased: boolean) => void;
  refuse: (refused: Partial<Record<SettingKey, string>>) => void;
  clear: () => void;
}

const EMPTY = { changes: {}, erased: new Set<ErasableKey>(), refused: {} };

/** One draft over all sections: it outlives the page, a restart of the panel and signing in again. */
export const useSettingsDraft = create<SettingsDraft>((update) => ({
  ...EMPTY,
  set: (key, value, stored) =>
    update(({ changes, refused }) => {
      const { [key]: _before, ...others } = changes;
      const { [key]: _reason, ...reasons } = refused;
      const isSame = isSecretKey(key) ? value === '' : value === stored[key];
      return { changes: isSame ? others : { ...others, [key]: value }, refused: reasons };
    }),
  setErased: (key, isErased) =>
    update(({ erased }) => {
      const next = new Set(erased);
      if (isErased) next.add(key);
      else next.delete(key);
      return { erased: next };
    }),
  refuse: (refused) => update({ refused }),
  clear: () => update(EMPTY),
}));

/** Settings that the draft changes, in no order that matters. */
export function changedKeys(changes: Changes, erased: Erased): SettingKey[] {
  return [...new Set([...(Object.keys(changes) as SettingKey[]), ...erased])];
}

/** Body of the save. */
export function toWire(changes: Changes, erased: Erased): SettingsSave {
  const flags = [...erased].filter((key) => changes[key] === undefined).map((key) => [CLEAR_FLAGS[key], true]);
  return { ...changes, ...Object.fromEntries(flags) } as SettingsSave;
}
