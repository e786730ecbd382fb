const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500];

/** Round byte values up to the highest, at most `most` equal steps; the last is the top of the scale. */
export function byteTicks(highest: number, most = 4): number[] {
  let unit = 1;
  while (highest / unit >= 1024) unit *= 1024;
  const wanted = Math.max(highest, 1) / unit / most;
  const step = (STEPS.find((each) => each >= wanted) ?? 1024) * unit;
  const count = Math.max(1, Math.ceil(highest / step));
  return Array.from({ length: count + 1 }, (_, at) => at * step);
}
