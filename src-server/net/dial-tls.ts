import type { ConnectionOptions, TLSSocket } from 'node:tls';

/** Who the peer must be, beyond the public certificate authorities. */
export interface DialTls extends ConnectionOptions {
  /** Checks the finished handshake before a byte of the request is sent; a returned error ends the connection. */
  checkPeer?: (socket: TLSSocket) => Error | undefined;
}
