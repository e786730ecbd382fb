import { expect, test } from 'vitest';
import { fieldMeanings } from './field-meanings.ts';
import { declaredObjects, readFieldNotes } from './field-notes.ts';
import type { JsonSchema } from './json-schema.ts';

const SOURCE = String.raw`
/** Of nothing inside. */
export const A = z.object({
  /** First line
   * and second, see {@link Other}. */
  count: z.int().refine((n) => n > 0 && /[{/]"/.test('}') , '/** no comment */'),
  plain: z.string(),
  inner: z.object({
    /** Of the inner one. */
    count: z.int(),
  }),
  // Not this.
  last: z.string().default('a: { /** b */'),
});
export const B = z.object({ /** Alone. */ count: z.int() });
`;

test('comments are read off the members that they stand before', () => {
  expect(declaredObjects(SOURCE)).toEqual([
    { names: ['count'], notes: { count: 'Of the inner one.' } },
    { names: ['count', 'plain', 'inner', 'last'], notes: { count: 'First line and second, see Other.' } },
    { names: ['count'], notes: { count: 'Alone.' } },
  ]);
});

test('a member means what the object says that declares it, and nothing where two say otherwise', () => {
  const declared = declaredObjects(SOURCE).map((object) => ({ domain: 'a', ...object }));
  const meaning = (members: string[], domain: string) => {
    const schema = { properties: Object.fromEntries(members.map((name) => [name, { type: 'integer' }])) };
    fieldMeanings(declared)(schema, domain);
    return (schema.properties['count'] as { description?: string }).description;
  };
  expect(meaning(['count', 'plain', 'inner', 'last', 'more'], 'a')).toBe('First line and second, see Other.');
  // Two of the same size say otherwise.
  expect(meaning(['count'], 'a')).toBeUndefined();
  expect(meaning(['count', 'plain'], 'a')).toBe('First line and second, see Other.');
  expect(meaning(['count', 'other'], 'a')).toBeUndefined();
  expect(meaning(['count', 'plain', 'inner', 'last'], 'b')).toBe('First line and second, see Other.');
  expect(meaning(['count', 'more'], 'b')).toBeUndefined();
  const own = { properties: { id: { type: 'integer', description: 'Own words.' }, port: { type: 'integer' } } };
  fieldMeanings([])(own, '');
  expect(own.properties).toMatchObject({
    id: { description: 'Own words.' },
    port: { description: 'Port, 1 to 65535.' },
  });
});

test('a name means what it means in its domain, in paths and queries too', () => {
  const operation = {
    parameters: [{ name: 'autoRenew', in: 'query', schema: { type: 'string' } as JsonSchema }],
    requestBody: { properties: { totalGB: { type: 'integer' } as JsonSchema } },
  };
  fieldMeanings([])(operation, 'clients');
  expect(operation.parameters[0]!.schema['description']).toMatch(/^on = only those that renew/);
  expect(operation.requestBody.properties.totalGB['description']).toBe('Quota in bytes, 0 = unlimited.');
});

test('the contracts of this panel say what their fields mean', async () => {
  const notes = await readFieldNotes();
  const settings = notes.find(({ domain, names }) => domain === 'settings' && names.includes('webListen'));
  expect(settings?.notes).toMatchObject({ sessionMaxAge: 'Minutes, at most a year.' });
  expect(settings?.names).toContain('ldapDefaultLimitIP');
});
