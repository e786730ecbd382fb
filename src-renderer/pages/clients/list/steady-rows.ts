/** What a row of a list is known by. */
interface Named {
  email: string;
}

/** The rows where they stood, each with its newest figures. A row that is gone keeps its last ones. */
export function steadyRows<T extends Named>(before: readonly T[], now: readonly T[]): T[] {
  const newest = new Map(now.map((row) => [row.email, row]));
  return before.map((row) => newest.get(row.email) ?? row);
}

/** How many rows came, went or changed places; the fewest moves that make the one order the other. */
export function countMoves(before: readonly Named[], now: readonly Named[]): number {
  const places = new Map(before.map(({ email }, at) => [email, at]));
  const stayed = now.flatMap(({ email }) => places.get(email) ?? []);
  const came = now.length - stayed.length;
  const went = before.length - stayed.length;
  return came + went + stayed.length - longestRise(stayed);
}

/** Length of the longest rising subsequence. */
function longestRise(values: readonly number[]): number {
  /** The smallest value that a rise of each length ends with. */
  const ends: number[] = [];
  for (const value of values) {
    const at = ends.findIndex((end) => end >= value);
    ends[at === -1 ? ends.length : at] = value;
  }
  return ends.length;
}
