import * as z from 'zod';

/** A switch as JSON or a form carries it; empty = not said. Any other text is a mistake, not a no. */
export const FormFlag = z.union(
  [
    z.boolean(),
    z.enum(['true', 'false', '']).transform((text) => (text === '' ? undefined : text === 'true')),
    z.null().transform(() => undefined),
  ],
  'must be true or false',
);
