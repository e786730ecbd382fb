import type { JsonObject } from '#wire/json';
import type { SettingKey, SettingsSave, SettingsView } from '#contract/settings';
import { useStore } from 'zustand';
import { createDraft } from '../../forms/draft/draft-store.ts';
import { isSecretKey } from './sections.ts';

type Value = string | number | boolean;
/** Unsaved values, by setting. */
export type Changes = Readonly<Partial<Record<SettingKey, Value>>>;
export type ErasableKey = 'tgBotToken' | 'tgBotBackupPassphrase' | 'smtpPassword' | 'ldapPassword';

const CLEAR_FLAGS = {
  tgBotToken: 'clearTgBotToken',
  tgBotBackupPassphrase: 'clearTgBotBackupPassphrase',
  smtpPassword: 'clearSmtpPassword',
  ldapPassword: 'clearLdapPassword',
} as const satisfies Record<ErasableKey, keyof SettingsSave>;

interface SettingsChanges {
  changes: Changes;
  /** Secrets that the save erases: a blank one is kept. */
  erased: readonly ErasableKey[];
}

/**
 * One draft across all sections: it outlives the page, a restart of the panel and another sign-in. It holds only
 * unsaved values; null = a secret to erase.
 */
export const settingsDraft = createDraft();

/** Sets one value; the stored one (or a blank secret) counts as no change. */
export function setSetting(key: SettingKey, value: Value, stored: SettingsView): void {
  const isSame = isSecretKey(key) ? value === '' : value === stored[key];
  settingsDraft.getState().edit(key, isSame ? undefined : value);
}

export function setErased(key: ErasableKey, isErased: boolean): void {
  settingsDraft.getState().edit(key, isErased ? null : undefined);
}

/** Removes what was saved; what was typed during the save stays, also where it was typed back to the value `before`. */
export function forgetSaved(saved: JsonObject, before: SettingsView): void {
  const { draft, discard, change } = settingsDraft.getState();
  const typedBack = (Object.keys(saved) as SettingKey[])
    .filter((key) => !(key in draft) && !isSecretKey(key))
    .map((key) => [key, before[key]] as const);
  const rest = [...typedBack, ...Object.entries(draft).filter(([key, value]) => value !== saved[key])];
  if (rest.length === 0) discard();
  else change(() => Object.fromEntries(rest));
}

let last: SettingsChanges & { draft: JsonObject } = { draft: {}, changes: {}, erased: [] };

/** The same object for the same draft. */
function changesIn(draft: JsonObject): SettingsChanges {
  if (last.draft === draft) return last;
  const typed = Object.entries(draft).filter(([, value]) => value !== null);
  const erased = Object.keys(draft).filter((key) => draft[key] === null) as ErasableKey[];
  last = { draft, changes: Object.fromEntries(typed), erased };
  return last;
}

/** The unsaved values, or a part of them. */
export function useSettingsDraft<T = SettingsChanges>(
  select: (changes: SettingsChanges) => T = (changes) => changes as T,
): T {
  return useStore(settingsDraft, ({ draft }) => select(changesIn(draft)));
}

/** Settings changed in the draft, in any order. */
export function changedKeys(changes: Changes, erased: readonly ErasableKey[]): SettingKey[] {
  return [...(Object.keys(changes) as SettingKey[]), ...erased];
}

/** Body of the save. */
export function toWire(draft: JsonObject): SettingsSave {
  return Object.fromEntries(
    Object.entries(draft).map(([key, value]) =>
      value === null ? [CLEAR_FLAGS[key as ErasableKey], true] : [key, value],
    ),
  ) as SettingsSave;
}
