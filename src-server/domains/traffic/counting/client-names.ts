import { createTimeSlices } from '../../../time-slices.ts';

const STEPS_PER_CLOCK = 512;

/** Looks e-mails up by counter name: the current e-mail of the counter's owner, or none. */
export type FindEmails = (names: readonly string[]) => Promise<Map<string, string>>;

/**
 * Maps a counter's name to its current client. Usually that is the client with this e-mail; but a renamed client still
 * moves bytes under its old name, a deleted one under an unused name, and http accounts are counted like e-mails.
 * Results are cached until a rename, a removal or a new client invalidates them.
 */
export function createClientNames(find: FindEmails) {
  const known = new Map<string, string | null>();
  // Names are forgotten inside transactions that are still open. A result found before the commit would stay wrong, so
  // each name is looked up again for two more ticks.
  let changing = new Set<string>();
  let changedBefore = new Set<string>();

  return {
    forget(names: readonly string[]): void {
      for (const name of names) changing.add(name);
    },
    /** Whether the name changed its owner within the last two ticks. */
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
    /** Current e-mails, null where the name belongs to no client. */
    async resolve(names: readonly string[]): Promise<(string | null)[]> {
      const slices = createTimeSlices();
      const emails: (string | null)[] = [];
      const unknown: { name: string; at: number }[] = [];
      for (const name of names) {
        const email = known.get(name);
        if (email === undefined) unknown.push({ name, at: emails.length });
        emails.push(email ?? null);
        if (emails.length % STEPS_PER_CLOCK === 0 && slices.isOver()) await slices.next();
      }
      if (unknown.length === 0) return emails;
      const found = await find(unknown.map(({ name }) => name));
      for (const { name, at } of unknown) {
        const email = found.get(name) ?? null;
        known.set(name, email);
        emails[at] = email;
      }
      return emails;
    },
  };
}
