import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { checkSettingsPlaces, type SettingKey, type SettingsPlaces } from '#contract/settings';
import { keys } from '../../api/keys.ts';
import { CallError } from '../../api/transport.ts';
import { useCall } from '../../api/transport-context.tsx';
import { refusedFields } from './refused-fields.ts';
import { useSettingsDraft, type Changes } from './settings-draft.ts';

const WAIT_MS = 350;
const PLACES = [
  'webListen',
  'webPort',
  'subListen',
  'subPort',
  'subEnable',
] as const satisfies (keyof SettingsPlaces)[];

/** Checks while typing whether the panel can listen there. @returns why not, by setting; undefined = none known */
export function usePlacesCheck(name: SettingKey): string | undefined {
  const call = useCall();
  const isPlace = (PLACES as readonly SettingKey[]).includes(name);
  const typed = useSettingsDraft(({ changes }) => (isPlace ? placesText(changes) : '{}'));
  const [settled] = useDebouncedValue(typed, WAIT_MS);
  const check = useQuery({
    queryKey: [...keys.settings, 'places', settled],
    queryFn: async ({ signal }) => {
      const body = JSON.parse(settled) as SettingsPlaces;
      try {
        await call(checkSettingsPlaces, { body }, signal);
        return {};
      } catch (error) {
        if (!(error instanceof CallError) || (error.kind !== 'refused' && error.kind !== 'invalid')) throw error;
        return refusedFields(error, Object.keys(body) as SettingKey[]);
      }
    },
    enabled: settled !== '{}',
    retry: false,
    staleTime: 5_000,
  });
  return settled === typed ? check.data?.[name] : undefined;
}

function placesText(changes: Changes): string {
  return JSON.stringify(Object.fromEntries(PLACES.flatMap((key) => (key in changes ? [[key, changes[key]]] : []))));
}
