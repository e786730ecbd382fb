import { rm } from 'node:fs/promises';
import type { Context } from 'koa';
import { ValidationError } from '../../contract/envelope.ts';
import { hostilePart } from '../../contract/hostile-json.ts';
import { MAX_BODY_BYTES, BodyRefusal } from './read-body.ts';
import { allowSlowBody } from '../request-deadline.ts';
import { takeBody } from './unread-body.ts';

/** Largest uploaded file in bytes. */
const MAX_UPLOAD_BYTES = 1024 * 1024 * 1024;

/** A file of a multipart body, in a temporary place until the handler has ended; a handler that keeps it moves it. */
export interface UploadedFile {
  field: string;
  path: string;
  /** The browser's name for it: never a path to write to. */
  name: string;
  sizeBytes: number;
}

export interface Upload {
  fields: unknown;
  files: readonly UploadedFile[];
}

/**
 * Reads a multipart body: fields into memory, files into `folder`.
 * @throws {BodyRefusal} too large. @throws {ValidationError} not multipart, or damaged.
 */
export async function readUpload(koa: Context, folder: string): Promise<Upload> {
  if (koa.is('multipart') === false)
    throw new ValidationError([], 'the body must be a form with a file, sent as multipart/form-data');
  if (Number(koa.get('content-length')) > MAX_UPLOAD_BYTES + MAX_BODY_BYTES) throw tooLarge();
  takeBody(koa.req, koa.res);
  allowSlowBody(koa.req);
  // Nothing else needs it, and loading it would slow down every start.
  const { koaBody } = await import('koa-body');
  const parse = koaBody({
    json: false,
    urlencoded: false,
    text: false,
    multipart: true,
    formidable: {
      uploadDir: folder,
      maxFields: 1000,
      maxFieldsSize: MAX_BODY_BYTES,
      maxFiles: 10,
      maxFileSize: MAX_UPLOAD_BYTES,
      maxTotalFileSize: MAX_UPLOAD_BYTES,
      allowEmptyFiles: true,
      minFileSize: 0,
      onPart(part, handle) {
        // Files need not state a type (RFC 7578, 4.4), but the library takes every part without one for a field.
        if (part.originalFilename !== null) part.mimetype ??= 'application/octet-stream';
        handle(part);
      },
    },
  });
  try {
    await parse(koa, async () => undefined);
  } catch (error) {
    if ((error as { httpCode?: number }).httpCode === 413) throw tooLarge();
    throw new ValidationError([], `the upload cannot be read: ${(error as Error).message}`);
  }
  const { body, files = {} } = koa.request as unknown as {
    body?: unknown;
    files?: Record<string, FileLike | FileLike[]>;
  };
  const list = Object.entries(files).flatMap(([field, value]) =>
    (Array.isArray(value) ? value : [value]).map((file) => ({
      field,
      path: file.filepath,
      name: file.originalFilename ?? '',
      sizeBytes: file.size,
    })),
  );
  const complaint = hostilePart(body);
  if (complaint === null) return { fields: body, files: list };
  await discard(list);
  throw new ValidationError([], complaint);
}

const tooLarge = () => new BodyRefusal(413, 'request.tooLarge', { limit: MAX_UPLOAD_BYTES });

interface FileLike {
  filepath: string;
  originalFilename: string | null;
  size: number;
}

/** Removes files that no handler moved away. */
export async function discard(files: readonly UploadedFile[]): Promise<void> {
  await Promise.all(files.map((file) => rm(file.path, { force: true })));
}
