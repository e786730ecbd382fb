/** Looks e-mails up by counter name: the present e-mail of the counter's owner, or none. */
export type FindEmails = (names: readonly string[]) => Promise<Map<string, string>>;

/**
 * Which client a counter's name stands for today. Almost always the one of that e-mail; but a renamed client still moves
 * bytes under its old name, a deleted one under a name nobody has, and http accounts are counted like e-mails. Answers are
 * remembered until a rename, a removal or a new client asks to forget them.
 */
export function createClientNames(find: FindEmails) {
  const known = new Map<string, string | null>();
  // Names are forgotten inside transactions that are still open; an answer found before their commit would stay wrong, so
  // each name is asked again for two more ticks.
  let changing = new Set<string>();
  let changedBefore = new Set<string>();

  return {
    forget(names: readonly string[]): void {
      for (const name of names) changing.add(name);
    },
    /** Whether the name changed hands within the last two ticks. */
    isInMotion: (name: string): boolean => changing.has(name) || changedBefore.has(name),
    /** Once per tick. */
    turn(): void {
      for (const name of changedBefore) known.delete(name);
      for (const name of changing) known.delete(name);
      changedBefore = changing;
      changing = new Set();
    },
    /** A new core process knows none of the old names. */
    clear: (): void => known.clear(),
    /** Present e-mails, null where the name stands for no client. */
    async resolve(names: readonly string[]): Promise<(string | null)[]> {
      const unknown = names.filter((name) => !known.has(name));
      if (unknown.length > 0) {
        const found = await find(unknown);
        for (const name of unknown) known.set(name, found.get(name) ?? null);
      }
      return names.map((name) => known.get(name) ?? null);
    },
  };
}
export type ClientNames = ReturnType<typeof createClientNames>;
