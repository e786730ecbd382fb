import type { Readable } from 'node:stream';

/** A request of our page, independent of any framework's types. */
export interface PageRequest {
  method: string;
  /** Path and query, as in the page's request. */
  path: string;
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>;
  body: Readable | null;
  /** Aborts the request when the page goes away. */
  signal?: AbortSignal;
}

export interface PageResponse {
  status: number;
  headers: Record<string, string>;
  body: Readable | Buffer;
}
