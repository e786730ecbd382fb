/** One printed line: a measurement and its target. */
export interface Figure {
  name: string;
  value: string;
  target: string;
  met: boolean | null;
}

const figures: Figure[] = [];

/** Records a figure in `unit`; `target` is its upper bound, or null where none is stated. */
export function figure(name: string, value: number, unit: string, target: number | null): void {
  record(name, value, unit, target === null ? null : { text: `<= ${target} ${unit}`, met: value <= target });
}

/** Records a figure that should be high; `least` is its lower bound, or null where none is stated. */
export function rate(name: string, value: number, unit: string, least: number | null): void {
  record(name, value, unit, least === null ? null : { text: `>= ${least} ${unit}`, met: value >= least });
}

function record(name: string, value: number, unit: string, target: { text: string; met: boolean } | null): void {
  const digits = value < 10 ? 2 : value < 100 ? 1 : 0;
  const line: Figure = {
    name,
    value: `${value.toFixed(digits)} ${unit}`,
    target: target?.text ?? '',
    met: target?.met ?? null,
  };
  figures.push(line);
  process.stdout.write(
    `${line.name.padEnd(64)} ${line.value.padStart(12)}  ${line.target.padEnd(14)} ${verdict(line)}\n`,
  );
}

function verdict(line: Figure): string {
  if (line.met === null) return '';
  return line.met ? 'met' : 'MISSED';
}

/** Number of figures that miss their target. */
export function missed(): number {
  return figures.filter(({ met }) => met === false).length;
}

export function percentile(samples: readonly number[], p: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil((p / 100) * sorted.length) - 1)] ?? Number.NaN;
}

/** Runs `work` `count` times one after another and returns each duration in ms. */
export async function timed(count: number, work: (i: number) => Promise<unknown>): Promise<number[]> {
  const samples: number[] = [];
  for (let i = 0; i < count; i++) {
    const startedAt = performance.now();
    await work(i);
    samples.push(performance.now() - startedAt);
  }
  return samples;
}

/** Records the median and the 95th percentile of durations; `target` is their upper bound. */
export function spread(name: string, samples: readonly number[], target: number | null): void {
  figure(`${name}: p50`, percentile(samples, 50), 'ms', null);
  figure(`${name}: p95`, percentile(samples, 95), 'ms', target);
}
