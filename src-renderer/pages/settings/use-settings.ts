import type { QueryClient } from '@tanstack/react-query';
import {
  getFactoryDefaults,
  getSettings,
  type SettingKey,
  type SettingsSave,
  type SettingsView,
} from '#contract/settings';
import { keys } from '../../api/keys.ts';
import { useRead } from '../../api/use-read.ts';
import { isSecretKey } from './sections.ts';

const ALL = [...keys.settings, 'all'];

/** All settings as stored, secrets empty. */
export function useSettings() {
  return useRead(getSettings, {}, ALL);
}

/** Stored from now on: the old values are not shown again until they are read. */
export function writeStored(cache: QueryClient, saved: SettingsSave): void {
  cache.setQueryData<SettingsView>(ALL, (view) => {
    if (view === undefined) return undefined;
    const shown = Object.entries(saved).filter(([key]) => key in view && !isSecretKey(key as SettingKey));
    return { ...view, ...Object.fromEntries(shown) };
  });
}

/** Default values as text; they never change while a panel runs. */
export function useFactoryDefaults(): Readonly<Record<string, string>> {
  const { data = {} } = useRead(getFactoryDefaults, {}, ['factoryDefaults'], { staleTime: Infinity });
  return data;
}
