/**
 * Why there is no response. `address`: no usable address; `private`: it leads into an internal network; `unresolved`:
 * the name has no address; `connect`: no connection; `tls`: no trust; `timeout`: too slow; `tooLarge`: more bytes than
 * allowed; `redirect`: one away from TLS or to something other than a web address; `redirects`: too many; `protocol`:
 * the response is not HTTP; `aborted`: the caller gave up.
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
  | 'redirects'
  | 'protocol'
  | 'aborted';

/** A refused or failed outgoing connection. The message is for the operator and holds no path and no query. */
export class DialError extends Error {
  readonly code: DialErrorCode;
  /** Of `private`: the host that was named and the address it leads to. */
  readonly refused: { host: string; address: string } | null;
  constructor(
    code: DialErrorCode,
    message: string,
    { refused = null, ...options }: ErrorOptions & { refused?: DialError['refused'] } = {},
  ) {
    super(message, options);
    this.name = 'DialError';
    this.code = code;
    this.refused = refused;
  }
}
