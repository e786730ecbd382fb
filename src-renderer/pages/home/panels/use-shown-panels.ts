import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { requireDesktop } from '../../../api/desktop.ts';
import { keys } from '../../../api/keys.ts';
import { sortPanels, type ShownPanel } from './panel-model.ts';
import { usePanels } from './use-panels.ts';

/** All panels with their names, sorted as chosen. `areKnown` is false until the connections were read. */
export function useShownPanels() {
  const { t } = useTranslation('home');
  const { view, cards, failure, setChoices } = usePanels();
  const { data: connections, error } = useQuery({
    queryKey: keys.connections,
    queryFn: () => requireDesktop().connections.list(),
    // Shows a panel that was added or renamed meanwhile at once.
    refetchOnMount: 'always',
  });
  const panels = useMemo(() => {
    const named = (connections ?? []).flatMap(({ id, name, color, address }): ShownPanel[] => {
      const card = cards.get(id);
      if (card === undefined) return [];
      return [
        { card, name: id === 'local' ? t('local') : name, color, address, group: view?.choices.groups[id] ?? '' },
      ];
    });
    return sortPanels(named, view?.choices.sort ?? 'need', view?.choices.order ?? []);
  }, [connections, cards, view?.choices, t]);
  // Keeps its identity while figures change, so that what shows names does not render again.
  const nameOf = useCallback(
    (id: string): string => (id === 'local' ? t('local') : (connections?.find((each) => each.id === id)?.name ?? '')),
    [connections, t],
  );
  return { view, panels, nameOf, areKnown: connections !== undefined, failure: failure ?? error, setChoices };
}
