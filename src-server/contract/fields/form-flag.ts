import * as z from 'zod';

/** A switch as JSON or a form carries it; empty = not given. Any other text is an error, not "off". */
export const FormFlag = z.union(
  [
    z.boolean(),
    z.enum(['true', 'false', '']).transform((text) => (text === '' ? undefined : text === 'true')),
    z.null().transform(() => undefined),
  ],
  'must be true or false',
);
