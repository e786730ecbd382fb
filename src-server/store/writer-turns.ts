/** At most this many urgent writers in a row go before a waiting one: it is delayed, but never for good. */
const MAX_URGENT_IN_A_ROW = 16;

/** Assigns turns of the one writer. Requested changes go before the panel's own work; each kind in order of arrival. */
export function createWriterTurns() {
  const urgent: (() => void)[] = [];
  const others: (() => void)[] = [];
  let isTaken = false;
  let urgentInARow = 0;

  function next(): (() => void) | undefined {
    const isUrgent = urgent.length > 0 && (others.length === 0 || urgentInARow < MAX_URGENT_IN_A_ROW);
    urgentInARow = isUrgent ? urgentInARow + 1 : 0;
    return (isUrgent ? urgent : others).shift();
  }

  return {
    /** Resolves when it is the caller's turn. */
    async take(isUrgent: boolean): Promise<void> {
      if (isTaken) await new Promise<void>((resolve) => (isUrgent ? urgent : others).push(resolve));
      isTaken = true;
    },
    /** The caller has finished. */
    end(): void {
      const begin = next();
      if (begin === undefined) isTaken = false;
      else begin();
    },
  };
}
