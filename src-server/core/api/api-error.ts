/** What a failed call means to us. `gone`: the process or the channel no longer exists. */
export type CoreApiErrorCode =
  | 'gone'
  | 'timeout'
  | 'unimplemented'
  | 'userExists'
  | 'notFound'
  | 'tagExists'
  | 'noUserManager'
  | 'badAccount'
  | 'cannotListen'
  | 'tooLarge'
  | 'noMatch'
  | 'refused';

/** A failed call of the core's API. `message` holds the core's own text. */
export class CoreApiError extends Error {
  readonly code: CoreApiErrorCode;
  constructor(code: CoreApiErrorCode, text: string, options?: ErrorOptions) {
    super(text, options);
    this.name = 'CoreApiError';
    this.code = code;
  }
}

/**
 * The core reports nearly every failure as UNKNOWN with a text, so this table of texts is the only way to tell them
 * apart. Kept here so that nothing else ever looks at them. First match wins.
 */
const TEXTS: readonly [RegExp, CoreApiErrorCode][] = [
  [/existing tag found/i, 'tagExists'],
  [/already exists/i, 'userExists'],
  // The port is taken, the address or the folder does not exist on this machine, or the permission is missing.
  [/address already in use|failed to listen|\blisten (?:tcp|udp|unix)/i, 'cannotListen'],
  [/is not a usermanager/i, 'noUserManager'],
  [/failed to parse user|account is missing|account type is incorrect|invalid uuid/i, 'badAccount'],
  [/not enough information/i, 'noMatch'],
  [/not found|cannot find tag/i, 'notFound'],
];

/** gRPC status codes that say more than the text does. */
const STATES: Readonly<Record<number, CoreApiErrorCode>> = {
  1: 'gone', // cancelled
  4: 'timeout', // deadline exceeded
  5: 'notFound',
  12: 'unimplemented',
  14: 'gone', // unavailable
};

/** The error of a call that the core answered with this gRPC status and text. */
export function apiErrorOf(state: number, text: string): CoreApiError {
  return new CoreApiError(codeOf(state, text), text);
}

function codeOf(state: number, text: string): CoreApiErrorCode {
  return STATES[state] ?? TEXTS.find(([pattern]) => pattern.test(text))?.[1] ?? 'refused';
}

/** True for an error of the core's API with one of these codes. */
export function isApiError(error: unknown, ...codes: CoreApiErrorCode[]): error is CoreApiError {
  return error instanceof CoreApiError && codes.includes(error.code);
}
