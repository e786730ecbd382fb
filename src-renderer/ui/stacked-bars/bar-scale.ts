/** Which of `count` labels fit side by side: every n-th, from the first on. @param widthPx of the whole axis */
export function labelEvery(count: number, labelPx: number, widthPx: number): number {
  const fitting = Math.max(1, Math.floor(widthPx / labelPx));
  const least = Math.ceil(count / fitting);
  return [1, 2, 3, 4, 5, 6, 7, 12, 14, 24].find((each) => each >= least) ?? least;
}
