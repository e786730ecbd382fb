import type { Readable } from 'node:stream';

/** A request of our page, free of any framework's types. */
export interface PageRequest {
  method: string;
  /** Path and query, as the page named them. */
  path: string;
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>;
  body: Readable | null;
  /** Ends the request when the page goes away. */
  signal?: AbortSignal;
}

export interface PageAnswer {
  status: number;
  headers: Record<string, string>;
  body: Readable | Buffer;
}
