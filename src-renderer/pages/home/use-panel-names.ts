import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { requireDesktop } from '../../api/desktop.ts';
import { keys } from '../../api/keys.ts';

export interface NamedPanel {
  id: string;
  name: string;
}

/** The saved panels with the one of this computer, as they are called here; undefined until they are known. */
export function usePanelNames(): readonly NamedPanel[] | undefined {
  const { t } = useTranslation('home');
  const { data } = useQuery({
    queryKey: keys.connections,
    queryFn: () => requireDesktop().connections.list(),
    refetchOnMount: 'always',
  });
  return data?.map(({ id, name }) => ({ id, name: id === 'local' ? t('local') : name }));
}
