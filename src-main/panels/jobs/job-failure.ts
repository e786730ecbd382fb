import type { JobMessage, JobMessageCode } from '../../bridge/jobs.ts';

/** A failure with a text in the interface. */
export class JobFailure extends Error {
  readonly detail: JobMessage;
  constructor(code: JobMessageCode, params: JobMessage['params'] = {}) {
    super(`${code} ${JSON.stringify(params)}`);
    this.name = 'JobFailure';
    this.detail = { code, params };
  }
}

export const say = (code: JobMessageCode, params: JobMessage['params'] = {}): JobMessage => ({ code, params });

/** The part of an error that is shown. */
export const messageOf = (error: unknown): JobMessage =>
  error instanceof JobFailure
    ? error.detail
    : say('failed', { words: error instanceof Error ? error.message.slice(0, 200) : '' });
