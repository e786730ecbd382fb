import type { Said, SaidCode } from '../../bridge/jobs.ts';

/** A failure that the interface has words for. */
export class JobFailure extends Error {
  readonly said: Said;
  constructor(code: SaidCode, params: Said['params'] = {}) {
    super(`${code} ${JSON.stringify(params)}`);
    this.name = 'JobFailure';
    this.said = { code, params };
  }
}

export const say = (code: SaidCode, params: Said['params'] = {}): Said => ({ code, params });

/** What of an error is said. */
export const saidOf = (error: unknown): Said =>
  error instanceof JobFailure
    ? error.said
    : say('failed', { words: error instanceof Error ? error.message.slice(0, 200) : '' });
