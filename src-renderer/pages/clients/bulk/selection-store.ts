import { create } from 'zustand';

interface Selection {
  emails: ReadonlySet<string>;
  toggle: (email: string) => void;
  set: (emails: Iterable<string>, isSelected: boolean) => void;
  clear: () => void;
}

/** Selected clients by e-mail, across pages. */
export const useSelection = create<Selection>((set) => ({
  emails: new Set(),
  toggle: (email) => set(({ emails }) => ({ emails: changedSet(emails, [email], !emails.has(email)) })),
  set: (changed, isSelected) => set(({ emails }) => ({ emails: changedSet(emails, changed, isSelected) })),
  clear: () => set({ emails: new Set() }),
}));

function changedSet(before: ReadonlySet<string>, changed: Iterable<string>, isSelected: boolean): ReadonlySet<string> {
  const emails = new Set(before);
  for (const email of changed) {
    if (isSelected) emails.add(email);
    else emails.delete(email);
  }
  return emails;
}
