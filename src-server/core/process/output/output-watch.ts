/** One line of the core's output, classified. */
export interface OutputLine {
  /** Level of a regular log line; null for everything else (version banner, `Failed to start`, stacks). */
  level: 'debug' | 'info' | 'warning' | 'error' | null;
  text: string;
}

const LOG_LINE = /^\d{4}\/\d{2}\/\d{2} \d{2}:\d{2}:\d{2}(?:\.\d+)? \[(\w+)\] (.*)$/;
const ACCESS_LINE = /^\d{4}\/\d{2}\/\d{2} \d{2}:\d{2}:\d{2}(?:\.\d+)? from /;
const CRASH = /panic|exception|stack trace|fatal error/i;
/** Lines of a stack that are kept; a Go stack of all goroutines can be endless. */
const CRASH_LINES = 2000;

/** Classifies a line by the core's log format. */
export function classifyLine(line: string): OutputLine {
  const match = LOG_LINE.exec(line);
  if (!match) return { level: ACCESS_LINE.test(line) ? 'info' : null, text: line };
  const [, name = '', text = ''] = match;
  // Noise of scanners, at whatever level the core reports it.
  if (/tls handshake error|connection ends/i.test(text)) return { level: 'debug', text };
  if (/failed/i.test(text)) return { level: 'error', text };
  const level = name.toLowerCase();
  return {
    level: level === 'debug' || level === 'info' || level === 'warning' || level === 'error' ? level : 'info',
    text,
  };
}

/**
 * Collects the output of one core process: whole lines although chunks cut them anywhere, the last lines for display,
 * and the text of a crash from its first line on.
 */
export class OutputWatch {
  readonly #capacity: number;
  readonly #onLine: (line: OutputLine) => void;
  readonly #ring: string[] = [];
  readonly #rest = { stdout: '', stderr: '' };
  readonly #crash: string[] = [];
  #lastPlain = '';

  /** @param capacity how many lines are kept */
  constructor(onLine: (line: OutputLine) => void, capacity = 500) {
    this.#onLine = onLine;
    this.#capacity = capacity;
  }

  push(stream: 'stdout' | 'stderr', chunk: string): void {
    const lines = (this.#rest[stream] + chunk).split(/\r?\n/);
    this.#rest[stream] = (lines.pop() ?? '').slice(-64 * 1024);
    for (const line of lines) this.#line(stream, line);
  }

  /** At the end of the process: an unterminated line counts as a line. */
  finish(): void {
    for (const stream of ['stdout', 'stderr'] as const) {
      const rest = this.#rest[stream];
      this.#rest[stream] = '';
      if (rest !== '') this.#line(stream, rest);
    }
  }

  /** The last lines, oldest first. */
  lines(): readonly string[] {
    return this.#ring;
  }

  /** The last line that is not a regular log line (`Failed to start: …`); empty when a log line came after it. */
  lastPlain(): string {
    return this.#lastPlain;
  }

  /** Panic message and stack; empty when the process did not crash. */
  crashText(): string {
    return this.#crash.join('\n');
  }

  /** The first line of a crash, which says what happened. */
  crashHeadline(): string {
    return this.#crash[0] ?? '';
  }

  #line(stream: 'stdout' | 'stderr', line: string): void {
    if (line === '') return;
    this.#ring.push(line);
    if (this.#ring.length > this.#capacity) this.#ring.shift();
    const classified = classifyLine(line);
    this.#lastPlain = classified.level === null ? line : '';
    // Go prints panics to stderr, normal output never goes there.
    if (this.#crash.length > 0 ? stream === 'stderr' : classified.level === null && CRASH.test(line)) {
      if (this.#crash.length < CRASH_LINES) this.#crash.push(line);
    }
    this.#onLine(classified);
  }
}
