import type * as z from 'zod';

export type HttpMethod = 'GET' | 'POST' | 'DELETE';

/** `json`: object in a JSON body. `form`: urlencoded or multipart fields. `either` (default): both are read. `upload`: multipart with files. */
export type BodyEncoding = 'json' | 'form' | 'either' | 'upload';

/** Who may call: `public` anyone (still CSRF-checked when unsafe), `admin` a session, an API token or a trusted client certificate. */
export type Access = 'public' | 'admin';

export interface EndpointShape {
  access?: Access;
  /** One line for the API document. */
  summary: string;
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  encoding?: BodyEncoding;
  /** Name of the field of an `upload` that holds the file. */
  fileField?: string;
  result: z.ZodType;
  /**
   * What a standby panel does with it besides GET: `answers`, because nothing is changed; `signsIn`, which it may write
   * beside the active one. Absent = it refuses.
   */
  onStandby?: 'answers' | 'signsIn';
  /** Translation key of the envelope's `msg` on success; absent = empty text. */
  message?: string;
  /** Translation key of the envelope's `msg` when the input breaks the schemas; absent = the general text. */
  invalidMessage?: string;
  /** `envelope` (default), or what the response is instead: a file, or a JSON body of its own shape. */
  response?: 'envelope' | 'attachment' | 'raw';
  /** Content types of a response that is no envelope; absent = JSON, or just bytes for a file. */
  types?: readonly string[];
}

export type Endpoint<S extends EndpointShape = EndpointShape> = Readonly<S> & {
  readonly method: HttpMethod;
  /** Path below the base path, with `:name` parameters. */
  readonly path: string;
  readonly access: Access;
};

type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined;
type Sent<T> = T extends z.ZodType ? z.input<T> : undefined;
export type ParamsOf<E> = E extends { params: infer T } ? Parsed<T> : undefined;
export type QueryOf<E> = E extends { query: infer T } ? Parsed<T> : undefined;
export type BodyOf<E> = E extends { body: infer T } ? Parsed<T> : undefined;
/** What a handler returns: the input side of the result schema, which is what the wire carries. */
export type ResultOf<E> = E extends { result: infer T } ? Sent<T> : never;

/**
 * Declares one call of the panel. Server, renderer, API document and tests share this object.
 * @param path below the base path, with `:name` parameters
 */
export function endpoint<const S extends EndpointShape>(method: HttpMethod, path: string, shape: S): Endpoint<S> {
  return { ...shape, method, path, access: shape.access ?? 'admin' };
}
