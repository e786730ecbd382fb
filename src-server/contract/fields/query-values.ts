import * as z from 'zod';

/** One query value; repeated keys count as one comma list. */
export const queryText = (maxLength: number) =>
  z
    .union([z.string(), z.array(z.string()).transform((values) => values.join(','))])
    .pipe(z.string().max(maxLength))
    .default('');
/** Whole number in a query; anything else is `fallback`. */
export const queryNumber = (fallback: number) =>
  queryText(32).transform((value) => (/^-?\d{1,9}$/.test(value.trim()) ? Number(value) : fallback));
export const queryList = (maxLength: number) =>
  queryText(maxLength).transform((value) =>
    value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  );
/** Whole number of up to 16 digits; anything else is no bound. */
export const queryBound = queryText(32).transform((value) =>
  /^-?\d{1,16}$/.test(value.trim()) ? Number(value) : null,
);
/** One of two words, or null for anything else. */
export const queryEither = (yes: string, no: string) =>
  queryText(16).transform((value) => (value === yes ? true : value === no ? false : null));
export const queryFlag = queryText(8).transform((value) => value === '1' || value.toLowerCase() === 'true');
