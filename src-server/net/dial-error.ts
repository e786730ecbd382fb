/**
 * Why nothing came back. `address`: no usable address; `private`: it leads into an internal network; `unresolved`: the
 * name has no address; `connect`: no connection; `tls`: no trust; `timeout`: too slow; `tooLarge`: more bytes than
 * allowed; `redirect`: too many redirects, or one away from TLS; `protocol`: the answer is not HTTP; `aborted`: the
 * caller gave up.
 */
export type DialErrorCode =
  | 'address'
  | 'private'
  | 'unresolved'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'tooLarge'
  | 'redirect'
  | 'protocol'
  | 'aborted';

/** A refused or failed outgoing connection. The message is for the operator and holds no path and no query. */
export class DialError extends Error {
  readonly code: DialErrorCode;
  constructor(code: DialErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DialError';
    this.code = code;
  }
}
