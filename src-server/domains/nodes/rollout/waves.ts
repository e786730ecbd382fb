import type * as z from 'zod';
import { DomainError } from '../../../contract/domain-error.ts';
import type { Registry } from '../registry.ts';
import type { RolloutLine, startRollout } from './contract.ts';

/** What the operator requests: nodes, what is exchanged, and how many at once. */
export type RolloutRequest = z.output<(typeof startRollout)['body']>;

interface WaveDeps {
  registry: Pick<Registry, 'get'>;
  /** Marks a row as skipped, with the reason. */
  refuse: (line: RolloutLine, state: 'skipped', error: DomainError) => void;
}

/**
 * Rows in the order of the waves; nodes that cannot be updated are skipped.
 * @throws {DomainError} `node.noneReady`, `node.noVersion`
 */
export function arrangeWaves(
  { registry, refuse }: WaveDeps,
  { ids, what, back, waveSize, version }: RolloutRequest,
): RolloutLine[] {
  const lines = [...new Set(ids)].map((id): RolloutLine => {
    const row = registry.get(id)?.row;
    const before = what === 'panel' ? row?.panelVersion : row?.coreVersion;
    const line = { id, name: row?.name ?? '', wave: 0, state: 'waiting', before: before ?? '' } as const;
    return { ...line, after: '', error: '', refusal: null };
  });
  for (const line of lines) {
    const row = registry.get(line.id)?.row;
    const reason =
      row === undefined
        ? 'node.missing'
        : row.enable === 0
          ? 'node.disabled'
          : row.status !== 'online'
            ? 'node.offline'
            : back && row.coreVersionBefore === ''
              ? 'node.noWayBack'
              : null;
    if (reason !== null) refuse(line, 'skipped', new DomainError(reason));
  }
  if (what === 'core' && !back && version === '') throw new DomainError('node.noVersion', {}, { field: 'version' });
  const ready = lines.filter(({ state }) => state === 'waiting');
  if (ready.length === 0) throw new DomainError('node.noneReady');
  for (const [at, line] of ready.entries()) line.wave = at === 0 ? 0 : 1 + Math.floor((at - 1) / waveSize);
  return lines;
}
