/** A client as the panel's API accepts it, and its inbounds. */
export interface KeptClient {
  /** Secrets included. */
  client: Record<string, unknown> & { email: string };
  comment: string;
  tags: string[];
  /** Where its flow, or its key, differs from that of the client. */
  attachments: { tag: string; flow: string; password: string }[];
  externalLinks: { kind: string; value: string; remark: string }[];
  upBytes: number;
  downBytes: number;
}

/** An inbound of a backup, without its clients. */
export interface KeptInbound {
  tag: string;
  name: string;
  protocol: string;
  listen: string;
  port: number;
  clientCount: number;
  /** Secrets included. */
  body: InboundBody;
  /** Its hosts as the panel's API accepts them, in order. */
  hosts: Record<string, unknown>[];
  /** Its fallback rules, in order; `childTag` empty = there is only a target. */
  fallbacks: (Record<string, unknown> & { childTag: string; dest: string })[];
}

/** An inbound as the panel's API accepts it. */
interface InboundBody {
  tag: string;
  remark: string;
  enable: boolean;
  listen: string;
  port: number;
  protocol: string;
  settings: string;
  streamSettings: string;
  sniffing: string;
  expiryTime: number;
  total: number;
  up: number;
  down: number;
  trafficReset: string;
}

export function keptInbound(
  body: InboundBody,
  clientCount: number,
  { hosts, fallbacks }: Pick<KeptInbound, 'hosts' | 'fallbacks'>,
): KeptInbound {
  const { tag, remark, protocol, listen, port } = body;
  return { tag, name: remark === '' ? tag : remark, protocol, listen, port, clientCount, body, hosts, fallbacks };
}

/** The parts of a backup that can be restored one by one. */
export interface KeptParts {
  inbounds(): KeptInbound[];
  /** E-mails, comments and tags of all clients, one after another. */
  clients(): Iterable<{ email: string; comment: string; tags: string[] }>;
  client(email: string): KeptClient | null;
  /** E-mails of the clients on an inbound. */
  emailsOf(tag: string): string[];
}
