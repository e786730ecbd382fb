import { koaBody } from 'koa-body';
import type { Middleware } from 'koa';
import { ValidationError } from '../contract/envelope.ts';
import { hostilePart } from '../contract/hostile-json.ts';

/** Largest ordinary body in bytes; uploads set their own. */
export const MAX_BODY_BYTES = 10 * 1024 * 1024;

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
      const complaint = hostilePart((koa.request as { body?: unknown }).body);
      if (complaint !== null) koa.state['badBody'] = new ValidationError([], complaint);
    }
    await next();
  };
}
