const VERSION = /^v?(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/;

/** Whether `latest` is a later version than `current`, by semantic versioning. False when either is invalid. */
export function isNewer(latest: string, current: string): boolean {
  const one = VERSION.exec(latest);
  const other = VERSION.exec(current);
  if (one === null || other === null) return false;
  for (const index of [1, 2, 3]) {
    const difference = Number(one[index]) - Number(other[index]);
    if (difference !== 0) return difference > 0;
  }
  return comparePreviews(one[4], other[4]) > 0;
}

/** A pre-release comes before its release. */
function comparePreviews(one: string | undefined, other: string | undefined): number {
  if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
  const left = one.split('.');
  const right = other.split('.');
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const [a, b] = [left[index], right[index]];
    if (a === undefined || b === undefined) return a === undefined ? -1 : 1;
    if (a === b) continue;
    const areNumbers = [/^\d+$/.test(a), /^\d+$/.test(b)];
    if (areNumbers[0] && areNumbers[1]) return Number(a) - Number(b);
    if (areNumbers[0] !== areNumbers[1]) return areNumbers[0] ? -1 : 1;
    return a < b ? -1 : 1;
  }
  return 0;
}

/** Commit of a rolling release: named in its notes, otherwise its target. Empty when neither is a commit. */
export function commitOf(release: { body: string; target_commitish: string }): string {
  const named = /commit=([0-9a-f]{7,40})\b/i.exec(release.body)?.[1];
  return (named ?? (/^[0-9a-f]{7,40}$/i.test(release.target_commitish) ? release.target_commitish : '')).toLowerCase();
}

/** Whether two commits are the same, even if one is shortened; an unknown one never is. */
export function isSameCommit(one: string, other: string): boolean {
  if (one === '' || other === '') return false;
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  return a.startsWith(b) || b.startsWith(a);
}
