import { readFileSync } from 'node:fs';

/*
 * Loaded before a panel whose clock a test moves: adds the number of ms in the file `MOVED_CLOCK_FILE` to the time. The
 * monotonic clock stays as it is, as when an operator or NTP sets a machine's clock.
 */

const file = process.env['MOVED_CLOCK_FILE'] ?? '';
const LOOK_EVERY_MS = 200;
const TrueDate = Date;
const trueNow = Date.now.bind(Date);
let offsetMs = 0;

function look(): void {
  try {
    offsetMs = Number(readFileSync(file, 'utf8')) || 0;
  } catch {
    offsetMs = 0;
  }
}

class MovedDate extends TrueDate {
  constructor(...parts: [] | [string | number | Date]) {
    super(...((parts.length === 0 ? [MovedDate.now()] : parts) as [number]));
  }
  static override now(): number {
    return trueNow() + offsetMs;
  }
}

if (file !== '') {
  look();
  setInterval(look, LOOK_EVERY_MS).unref();
  globalThis.Date = MovedDate as unknown as DateConstructor;
}
