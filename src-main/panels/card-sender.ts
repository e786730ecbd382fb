import type { PanelCard } from '../bridge/panels.ts';

/** Cards are sent together: a burst of readings is one message, and a steady stream is one per second. */
const TELL_AFTER_MS = 250;
const TELL_EVERY_MS = 1_000;

interface CardSenderDeps {
  /** The cards of all panels, as they are now. */
  cards: () => PanelCard[];
  onCards: (cards: PanelCard[]) => void;
  monotonic: () => number;
}

/** Sends the cards that changed since they were last sent. */
export function createCardSender({ cards: allCards, onCards, monotonic }: CardSenderDeps) {
  const sent = new Map<string, string>();
  let telling: NodeJS.Timeout | undefined;
  let sentMs = Number.NEGATIVE_INFINITY;

  return {
    /** A card may have changed: what did is sent soon. */
    tell(): void {
      telling ??= setTimeout(
        () => {
          telling = undefined;
          sentMs = monotonic();
          const cards = allCards();
          const changed = cards.filter((card) => sent.get(card.id) !== JSON.stringify(card));
          for (const card of changed) sent.set(card.id, JSON.stringify(card));
          if (changed.length > 0) onCards(changed);
        },
        Math.max(TELL_AFTER_MS, sentMs + TELL_EVERY_MS - monotonic()),
      );
    },
    /** A panel is gone; its card is sent anew if it comes back. */
    forget: (id: string): void => void sent.delete(id),
    close: (): void => clearTimeout(telling),
  };
}
