/** Fields in which two forms differ. */
export function changedFields<T extends object>(before: T, after: T): (keyof T & string)[] {
  return (Object.keys(before) as (keyof T & string)[]).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
}

/** What was typed here where it was typed, what they stored everywhere else. */
export function mergedForm<T extends object>(base: T, mine: T, theirs: T): T {
  const typed = changedFields(base, mine);
  return { ...theirs, ...Object.fromEntries(typed.map((name) => [name, mine[name]])) };
}
