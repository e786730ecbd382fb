import { koaBody } from 'koa-body';
import type { Middleware } from 'koa';
import { ValidationError } from '../contract/envelope.ts';

/** Largest ordinary body in bytes; uploads set their own. */
export const MAX_BODY_BYTES = 10 * 1024 * 1024;
/** Deeper structures are refused: no panel object needs them, and recursive code must not meet them. */
const MAX_DEPTH = 64;

/**
 * Reads JSON, urlencoded and multipart bodies. A body that cannot be parsed, is too deep, carries `__proto__` or a NUL
 * character is not answered here: the refusal waits in `state.badBody` until the caller is known to be allowed.
 */
export function readBody(): Middleware {
  const parse = koaBody({
    json: true,
    urlencoded: true,
    multipart: true,
    text: false,
    jsonLimit: MAX_BODY_BYTES,
    formLimit: MAX_BODY_BYTES,
    parsedMethods: ['POST', 'PUT', 'PATCH', 'DELETE'] as never,
    formidable: { maxFieldsSize: MAX_BODY_BYTES, maxFileSize: MAX_BODY_BYTES, maxFields: 1000 },
  });
  return async (koa, next) => {
    let parsed = false;
    try {
      await parse(koa, async () => {
        parsed = true;
      });
    } catch (error) {
      const status = (error as { status?: number }).status;
      if (status === 413) {
        koa.status = 413;
        koa.body = { success: false, msg: `the request body exceeds ${MAX_BODY_BYTES} bytes`, obj: null };
        return;
      }
      koa.state['badBody'] = new ValidationError([], error instanceof Error ? error.message : String(error));
    }
    if (parsed) {
      const complaint = hostilePart((koa.request as { body?: unknown }).body, 0);
      if (complaint !== null) koa.state['badBody'] = new ValidationError([], complaint);
    }
    await next();
  };
}

/** First thing in a parsed body that no field may carry, in words; null when there is none. */
export function hostilePart(value: unknown, depth: number): string | null {
  if (typeof value === 'string') return value.includes('\0') ? 'a text contains a NUL character' : null;
  if (typeof value !== 'object' || value === null) return null;
  if (depth >= MAX_DEPTH) return `the body is nested deeper than ${MAX_DEPTH} levels`;
  for (const key of Object.keys(value)) {
    if (key === '__proto__') return 'a field is named __proto__';
    if (key.includes('\0')) return 'a field name contains a NUL character';
    const complaint = hostilePart((value as Record<string, unknown>)[key], depth + 1);
    if (complaint !== null) return complaint;
  }
  return null;
}
