import { useCallback, useEffect, useRef, useState } from 'react';
import type { PanelCard, PanelsChoices, PanelsView } from '../../../../src-main/bridge/panels.ts';
import { requireDesktop } from '../../../api/desktop.ts';

/** All panels while the page is open: only then are they read often. Null until the first cards arrive. */
export function usePanels(): {
  view: PanelsView | null;
  cards: ReadonlyMap<string, PanelCard>;
  failure: Error | null;
  setChoices: (part: Partial<PanelsChoices>) => void;
} {
  const [view, setView] = useState<PanelsView | null>(null);
  const [failure, setFailure] = useState<Error | null>(null);
  const [cards, setCards] = useState<ReadonlyMap<string, PanelCard>>(new Map());
  useEffect(() => {
    const { panels } = requireDesktop();
    const take = (changed: readonly PanelCard[]): void =>
      setCards((before) => new Map([...before, ...changed.map((card) => [card.id, card] as const)]));
    const follow = async (): Promise<void> => {
      try {
        const shown = await panels.show(!document.hidden);
        setView(shown);
        take(shown.cards);
        setFailure(null);
      } catch (error) {
        setFailure(error as Error);
      }
    };
    const end = panels.onCards(take);
    const handleVisibility = (): void => void follow();
    document.addEventListener('visibilitychange', handleVisibility);
    handleVisibility();
    return () => {
      end();
      document.removeEventListener('visibilitychange', handleVisibility);
      void panels.show(false).catch(() => undefined);
    };
  }, []);
  const latest = useRef(view);
  useEffect(() => {
    latest.current = view;
  }, [view]);
  const setChoices = useCallback((part: Partial<PanelsChoices>): void => {
    const before = latest.current;
    if (before === null) return;
    const choices = { ...before.choices, ...part };
    latest.current = { ...before, choices };
    setView(latest.current);
    void requireDesktop().panels.setChoices(choices).catch(setFailure);
  }, []);
  return { view, cards, failure, setChoices };
}
