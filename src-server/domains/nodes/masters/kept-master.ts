import type { KeyObject } from 'node:crypto';
import type { Timer } from '../../../contract/schedule.ts';
import type { openNodeEnd } from '../../../net/trunk/trunk-ends.ts';
import type { MasterRow } from './repository.ts';

/** A trunk to a master, and the wait for the next attempt. */
export interface KeptMaster {
  row: MasterRow;
  /** Open trunks; the master may have dialled one itself. */
  ends: Set<ReturnType<typeof openNodeEnd>>;
  /** Consecutive failed attempts. */
  failures: number;
  isDialling: boolean;
  wait: Timer | null;
  /** A key waiting for its certificate. */
  nextKey: KeyObject | null;
  lastProblem: string;
}

/** A master that was not dialled yet. */
export const keptMaster = (row: MasterRow): KeptMaster => ({
  row,
  ends: new Set(),
  failures: 0,
  isDialling: false,
  wait: null,
  nextKey: null,
  lastProblem: '',
});
