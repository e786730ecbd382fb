import type { ComparedLine, ComparedPart, Comparison, LineRequest, JobMessage, JobView } from '../../bridge/jobs.ts';
import type { PanelCalls } from '../jobs/panel-calls.ts';
import { say, messageOf, JobFailure } from '../jobs/job-failure.ts';
import type { JobList } from '../jobs/job-list.ts';
import { coreLines, inboundLines, settingsLines, type PartLine } from './compared-parts.ts';
import { shown } from './flat-lines.ts';
import { takeLine } from './take-line.ts';

const MAX_LINES = 2_000;
const MAX_KEPT = 4;
const READERS: Record<ComparedPart, (calls: PanelCalls) => Promise<PartLine[]>> = {
  settings: settingsLines,
  core: coreLines,
  inbounds: inboundLines,
};

interface Kept {
  leftId: string;
  rightId: string;
  lines: Map<string, { left: PartLine | undefined; right: PartLine | undefined }>;
}

/** Compares two panels, and copies single lines from one to the other. */
export function createComparisons(jobs: JobList, open: (panelId: string) => PanelCalls) {
  const kept = new Map<string, Kept>();

  async function withPanel<T>(panelId: string, use: (calls: PanelCalls) => Promise<T>): Promise<T> {
    const calls = open(panelId);
    return use(calls).finally(() => calls.close());
  }

  return {
    start({ leftId, rightId }: { leftId: string; rightId: string }): string {
      if (leftId === rightId) throw new JobFailure('samePanel');
      const mine: Kept = { leftId, rightId, lines: new Map() };
      const job = jobs.start<Comparison>(async (progress) => {
        const unread: Comparison['unread'] = [];
        const both = await Promise.all(
          [leftId, rightId].map((panelId) => withPanel(panelId, (calls) => readParts(calls, panelId, unread))),
        );
        progress.stopIfCancelled();
        const missing = new Set(unread.map(({ part }) => part));
        const [left, right] = both.map((lines) => lines.filter(({ part }) => !missing.has(part)));
        const { lines, sameCount } = join(left!, right!, mine);
        progress.show({ lines: lines.slice(0, MAX_LINES), sameCount, isCut: lines.length > MAX_LINES, unread });
      });
      kept.set(job.id, mine);
      for (const old of kept.keys()) if (kept.size > MAX_KEPT) kept.delete(old);
      return job.id;
    },
    view: (id: string): JobView<Comparison> => jobs.find(id).view() as JobView<Comparison>,
    async take({ id, lineId, from, isConfirmed }: LineRequest): Promise<JobMessage | null> {
      const mine = kept.get(id);
      const found = mine?.lines.get(lineId);
      const line = found?.[from];
      if (mine === undefined || line === undefined) return say('lineGone');
      if (line.isSecret || found?.left?.isSecret === true || found?.right?.isSecret === true) return say('lineSecret');
      if (line.isBound && !isConfirmed) return say('lineBound');
      try {
        await withPanel(from === 'left' ? mine.rightId : mine.leftId, (calls) => takeLine(calls, line));
        return null;
      } catch (error) {
        return messageOf(error);
      }
    },
  };
}

/** Parts that a panel does not report are left out with the reason; without any response the comparison ends. */
async function readParts(calls: PanelCalls, panelId: string, unread: Comparison['unread']): Promise<PartLine[]> {
  const lines: PartLine[] = [];
  for (const [part, read] of Object.entries(READERS) as [ComparedPart, (typeof READERS)[ComparedPart]][])
    try {
      lines.push(...(await read(calls)));
    } catch (error) {
      const why = messageOf(error);
      if (['down', 'refused', 'untrusted', 'notRunning', 'unknownPanel'].includes(why.code)) throw error;
      unread.push({ panelId, part, why });
    }
  return lines;
}

const idOf = ({ part, group, path }: PartLine): string => JSON.stringify([part, group, ...path]);

function join(left: readonly PartLine[], right: readonly PartLine[], { lines: all }: Kept) {
  for (const line of left) all.set(idOf(line), { left: line, right: undefined });
  for (const line of right) {
    const before = all.get(idOf(line));
    if (before === undefined) all.set(idOf(line), { left: undefined, right: line });
    else before.right = line;
  }
  const lines: ComparedLine[] = [];
  let sameCount = 0;
  for (const [id, one] of all) {
    const { part, group, path, isBound } = (one.left ?? one.right)!;
    if (one.left !== undefined && one.right !== undefined && same(one.left.value, one.right.value)) {
      sameCount += 1;
      continue;
    }
    const isSecret = one.left?.isSecret === true || one.right?.isSecret === true;
    const shownOf = (line: PartLine | undefined): string | null =>
      line === undefined ? null : isSecret ? '' : shown(line.value);
    const place = path.join('.');
    lines.push({ id, part, group, path: place, left: shownOf(one.left), right: shownOf(one.right), isSecret, isBound });
  }
  return { lines, sameCount };
}

/** Compares in any order of the members. */
function same(one: unknown, other: unknown): boolean {
  return sorted(one) === sorted(other);
}
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
