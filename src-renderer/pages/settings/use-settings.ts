import { getFactoryDefaults, getSettings } from '#contract/settings';
import { keys } from '../../api/keys.ts';
import { useRead } from '../../api/use-read.ts';

/** All settings as stored, secrets empty. */
export function useSettings() {
  return useRead(getSettings, {}, [...keys.settings, 'all']);
}

/** Default values as text; they never change while a panel runs. */
export function useFactoryDefaults(): Readonly<Record<string, string>> {
  const { data = {} } = useRead(getFactoryDefaults, {}, ['factoryDefaults'], { staleTime: Infinity });
  return data;
}
