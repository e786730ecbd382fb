/**
 * Whether the core is at least `wanted` (`26.5.9`). An unknown version counts as the newest: the panel is written for
 * current cores, and only a version that is certainly older gets the old spellings.
 */
export function isAtLeast(coreVersion: string | undefined, wanted: string): boolean {
  const have = numbersOf(coreVersion ?? '');
  const want = numbersOf(wanted);
  if (have === null || want === null) return true;
  for (const [index, part] of want.entries()) {
    const difference = (have[index] ?? 0) - part;
    if (difference !== 0) return difference > 0;
  }
  return true;
}

function numbersOf(version: string): number[] | null {
  const match = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version);
  return match === null ? null : match.slice(1).map(Number);
}
