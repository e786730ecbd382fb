import { useQuery } from '@tanstack/react-query';
import { getFactoryDefaults, getSettings } from '#contract/settings';
import { keys } from '../../api/keys.ts';
import { useCall } from '../../api/transport-context.tsx';

/** All settings as stored, secrets empty. */
export function useSettings() {
  const call = useCall();
  return useQuery({
    queryKey: [...keys.settings, 'all'],
    queryFn: ({ signal }) => call(getSettings, {}, signal),
  });
}

/** Built-in values as text; they never change while a panel runs. */
export function useFactoryDefaults(): Readonly<Record<string, string>> {
  const call = useCall();
  const { data = {} } = useQuery({
    queryKey: ['factoryDefaults'],
    queryFn: ({ signal }) => call(getFactoryDefaults, {}, signal),
    staleTime: Infinity,
  });
  return data;
}
