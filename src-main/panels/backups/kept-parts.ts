/** A client as the panel's API takes it, and where it was served. */
export interface KeptClient {
  /** Secrets included. */
  client: Record<string, unknown> & { email: string };
  comment: string;
  tags: string[];
  upBytes: number;
  downBytes: number;
}

/** An inbound as the panel's API takes it, without its clients. */
export interface KeptInbound {
  tag: string;
  name: string;
  protocol: string;
  listen: string;
  port: number;
  clientCount: number;
  /** Secrets included. */
  body: Record<string, unknown>;
}

/** What of a backup can be put back by itself. */
export interface KeptParts {
  inbounds(): KeptInbound[];
  /** E-mails, comments and tags of all clients, one after another. */
  clients(): Iterable<{ email: string; comment: string; tags: string[] }>;
  client(email: string): KeptClient | null;
  /** E-mails of the clients on an inbound. */
  emailsOf(tag: string): string[];
}
