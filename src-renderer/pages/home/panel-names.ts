import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { requireDesktop } from '../../api/desktop.ts';
import { keys } from '../../api/keys.ts';

export interface NamedPanel {
  id: string;
  name: string;
}

/** Every saved panel by its name, this computer's first. `areKnown` is false until they were read. */
export function usePanelNames(): { panels: NamedPanel[]; areKnown: boolean; nameOf: (id: string) => string } {
  const { t } = useTranslation('home');
  const { data } = useQuery({
    queryKey: keys.connections,
    queryFn: () => requireDesktop().connections.list(),
    refetchOnMount: 'always',
  });
  const panels = useMemo(
    () => (data ?? []).map(({ id, name }) => ({ id, name: id === 'local' ? t('local') : name })),
    [data, t],
  );
  const nameOf = useCallback((id: string) => panels.find((panel) => panel.id === id)?.name ?? id, [panels]);
  return { panels, areKnown: data !== undefined, nameOf };
}
