const DETOUR = /\[(\d+)\] app\/dispatcher: taking detour \[(.*?)\] for /;
const FAILURE = /\[(\d+)\] .*failed to process outbound traffic > (.*)$/;
const MAX_SESSIONS = 4_000;

/** Why connections through an outbound failed, read from the core's log lines: a proxy acknowledges before it dials. */
export class FailureLog {
  readonly #tagOf = new Map<string, string>();
  readonly #reasonOf = new Map<string, string>();
  /** The last line without a time stamp or, failing that, the last line. */
  last = '';

  push(line: string): void {
    if (line.trim() === '') return;
    this.last = line.slice(0, 2_000);
    const detour = DETOUR.exec(line);
    if (detour && this.#tagOf.size < MAX_SESSIONS) this.#tagOf.set(detour[1]!, detour[2]!);
    const failure = FAILURE.exec(line);
    const tag = failure ? this.#tagOf.get(failure[1]!) : undefined;
    if (failure && tag !== undefined) this.#reasonOf.set(tag, failure[2]!.slice(0, 500));
  }

  /** Empty when the core has given no reason. */
  reasonOf(tag: string): string {
    return this.#reasonOf.get(tag) ?? '';
  }
}
