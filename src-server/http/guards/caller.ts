/** Who sent a request, once it is authenticated. */
export type Caller =
  | { kind: 'anonymous' }
  | { kind: 'session'; adminId: number; username: string; sessionIdHash: string }
  | { kind: 'token'; tokenId: number; name: string }
  | { kind: 'certificate'; fingerprint: string }
  /** The desktop shell over the private socket, or a command of the same machine with the data folder's key. */
  | { kind: 'local' };

/** What a handler may know of the request besides its parsed input. */
export interface RequestInfo {
  caller: Caller;
  /** Address of the client, forwarded headers honoured only from trusted proxies; `unknown` when there is none. */
  address: string;
  /** Scheme, host and port the client used, for links and cookies. */
  origin: { scheme: 'http' | 'https'; host: string };
  userAgent: string;
  /** Sent by our own pages so that they can ignore the echo of their change; empty otherwise. */
  requestId: string;
}
