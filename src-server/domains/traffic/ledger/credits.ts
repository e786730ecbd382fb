import type { Changed } from '../counting/measure.ts';

/** Bytes to credit per client, columnar and ascending by client. */
export interface Credits {
  clientIds: Float64Array;
  /** Position of one of the client's counters in the baseline table. */
  positions: Float64Array;
  up: Float64Array;
  down: Float64Array;
}

/** Counters of one reading. */
const MAX_READING = 2 ** 21;

/**
 * Sums deltas by the client that owns the counter: a renamed client has two counters, and the bytes of a deleted
 * client's counter have no owner. Plain loops: callbacks would block the event loop ten times as long.
 * @param owners client id by position; 0 = no client
 */
export function creditsOf({ positions, upDelta, downDelta }: Changed, owners: readonly number[]): Credits {
  const order = new Float64Array(positions.length);
  let count = 0;
  for (let i = 0; i < positions.length; i++) {
    const owner = owners[positions[i]!]!;
    // Sorting numbers that include their position is many times faster than sorting positions.
    if (owner > 0 && (upDelta[i]! > 0 || downDelta[i]! > 0)) order[count++] = owner * MAX_READING + i;
  }
  order.subarray(0, count).sort();
  const clientIds = new Float64Array(count);
  const places = new Float64Array(count);
  const up = new Float64Array(count);
  const down = new Float64Array(count);
  let rows = 0;
  for (let k = 0; k < count; k++) {
    const owner = Math.floor(order[k]! / MAX_READING);
    const i = order[k]! - owner * MAX_READING;
    if (rows === 0 || clientIds[rows - 1] !== owner) {
      clientIds[rows] = owner;
      places[rows] = positions[i]!;
      rows += 1;
    }
    up[rows - 1]! += upDelta[i]!;
    down[rows - 1]! += downDelta[i]!;
  }
  return {
    clientIds: clientIds.slice(0, rows),
    positions: places.slice(0, rows),
    up: up.slice(0, rows),
    down: down.slice(0, rows),
  };
}
