import type { Logger } from '../../../contract/logger.ts';
import type { CoreApi } from '../../api/core-api.ts';
import type { LeftOut } from '../../config/source.ts';
import type { CoreStatus } from '../../core.ts';
import type { Session } from '../session.ts';
import { Silence } from './silence.ts';

const SILENT_TEXT = 'The core is running but has not answered for two minutes. Restart it.';
const KEPT_OUTPUT = 200;

/** What a core left that does not run: its last lines, and the entries that its config lacked. */
interface Left {
  output: readonly string[];
  leftOut: readonly LeftOut[];
}

/** What the panel shows of its core, whether it runs or not; tells listeners when its state changes. */
export class CoreState {
  version = 'Unknown';
  readonly #log: Logger;
  readonly #clock: () => number;
  readonly #running: () => Session | null;
  readonly #listeners = new Set<(status: CoreStatus) => void>();
  #errorText = '';
  #hasFailed = false;
  #left: Left = { output: [], leftOut: [] };
  #lastEnd: { atMs: number; how: string } | null = null;
  #restarts: CoreStatus['restarts'] = { count: 0, lastAtMs: null };
  /** Whether the next start follows an unplanned end. */
  #hasEndedByItself = false;
  /** Of the running core. */
  #silence = new Silence();
  #announced = '';

  constructor({ log, clock }: { log: Logger; clock: () => number }, running: () => Session | null) {
    this.#log = log;
    this.#clock = clock;
    this.#running = running;
  }

  status(): CoreStatus {
    const session = this.#running();
    const process = session?.process ?? null;
    return {
      state: (process ? this.#silence.isLong : this.#hasFailed) ? 'error' : process ? 'running' : 'stop',
      version: this.version,
      errorText: process ? (this.#silence.isLong ? SILENT_TEXT : '') : this.#errorText,
      pid: process?.pid ?? null,
      bootId: process?.bootId ?? null,
      startedAtMs: process?.startedAtMs ?? null,
      restarts: this.#restarts,
      leftOut: session?.leftOut ?? this.#left.leftOut,
    };
  }

  onState(listener: (status: CoreStatus) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Output of the last core; empty while one runs. */
  lastOutput(): string {
    return this.#running() ? '' : this.#keptOutput();
  }

  previousRun(): { endedAtMs: number; how: string; output: string } | null {
    if (this.#lastEnd === null) return null;
    const { atMs, how } = this.#lastEnd;
    return { endedAtMs: atMs, how, output: this.#keptOutput() };
  }

  #keptOutput(): string {
    return this.#left.output.slice(-KEPT_OUTPUT).join('\n');
  }

  /** Notes whether a call to this core was answered. */
  noteCall(api: CoreApi, hasResponded: boolean): void {
    const process = this.#running()?.process;
    if (process?.api !== api || !this.#silence.note(hasResponded)) return;
    const { pid } = process;
    if (this.#silence.isLong) this.#log.error('core.silent', { pid });
    else this.#log.info('core.answersAgain', { pid });
    this.announce();
  }

  noteStart(): void {
    this.#silence = new Silence();
    this.forgetFailure();
    if (this.#hasEndedByItself) this.#restarts = { count: this.#restarts.count + 1, lastAtMs: this.#clock() };
    this.#hasEndedByItself = false;
  }

  /** A start that failed; {@link noteFailure} says why. */
  noteFailedStart(left: Left): void {
    this.#left = left;
  }

  /** @param how what ended it; empty when that was requested */
  noteEnd({ process, leftOut }: Session, how: string): void {
    this.#left = { output: process.output.lines(), leftOut };
    this.#lastEnd = { atMs: this.#clock(), how };
  }

  noteEndedByItself(): void {
    this.#hasEndedByItself = true;
  }

  noteFailure(text: string): void {
    // Every change retries what is waiting for one; the log needs it only once.
    if (!this.#hasFailed || this.#errorText !== text) this.#log.error('core.down', { text });
    this.#hasFailed = true;
    this.#errorText = text;
    this.announce();
  }

  forgetFailure(): void {
    this.#hasFailed = false;
    this.#errorText = '';
  }

  announce(): void {
    const status = this.status();
    const now = `${status.state} ${status.pid ?? ''}`;
    if (now === this.#announced) return;
    this.#announced = now;
    for (const listener of this.#listeners) {
      try {
        listener(status);
      } catch (error) {
        this.#log.error('core.stateListener', { error: String(error) });
      }
    }
  }
}
