const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500];

/** Round values of bytes up to the highest, at most `most` steps of the same size; the last one is the top of the scale. */
export function byteTicks(highest: number, most = 4): number[] {
  let unit = 1;
  while (highest / unit >= 1024) unit *= 1024;
  const wanted = Math.max(highest, 1) / unit / most;
  const step = (STEPS.find((each) => each >= wanted) ?? 1024) * unit;
  const count = Math.max(1, Math.ceil(highest / step));
  return Array.from({ length: count + 1 }, (_, at) => at * step);
}

/** Which of `count` labels fit beside each other: every n-th, from the first on. @param widthPx of the whole axis */
export function labelEvery(count: number, labelPx: number, widthPx: number): number {
  const fitting = Math.max(1, Math.floor(widthPx / labelPx));
  const least = Math.ceil(count / fitting);
  return [1, 2, 3, 4, 5, 6, 7, 12, 14, 24].find((each) => each >= least) ?? least;
}
