/** So many in a row go before one that waits without being urgent: it is held up, and never for good. */
const MOST_URGENT_IN_A_ROW = 16;

/** Who has the one writer. What was asked for goes before what the panel does by itself; each in the order of its coming. */
export function createWriterTurns() {
  const urgent: (() => void)[] = [];
  const others: (() => void)[] = [];
  let isTaken = false;
  let urgentInARow = 0;

  function next(): (() => void) | undefined {
    const isUrgent = urgent.length > 0 && (others.length === 0 || urgentInARow < MOST_URGENT_IN_A_ROW);
    urgentInARow = isUrgent ? urgentInARow + 1 : 0;
    return (isUrgent ? urgent : others).shift();
  }

  return {
    /** Resolves when it is the caller's turn. */
    async take(isUrgent: boolean): Promise<void> {
      if (isTaken) await new Promise<void>((resolve) => (isUrgent ? urgent : others).push(resolve));
      isTaken = true;
    },
    /** The caller is done. */
    end(): void {
      const begin = next();
      if (begin === undefined) isTaken = false;
      else begin();
    },
  };
}
