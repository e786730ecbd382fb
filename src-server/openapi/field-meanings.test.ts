import { expect, test } from 'vitest';
import { openPanel } from '../testing/panels/open-panel.ts';
import type { ApiDocument } from './document.ts';
import { COMMON_FIELDS } from './common-fields.ts';
import { DOMAIN_FIELDS } from './domain-fields.ts';
import { fieldMeanings } from './field-meanings.ts';
import { declaredObjects, readFieldNotes } from './field-notes.ts';
import type { JsonSchema } from './json-schema.ts';
import { SETTING_FIELDS } from './setting-fields.ts';

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

test('a member has the meaning its declaring object gives, and none where two objects disagree', () => {
  const declared = declaredObjects(SOURCE).map((object) => ({ domain: 'a', ...object }));
  const meaning = (members: string[], domain: string) => {
    const schema = { properties: Object.fromEntries(members.map((name) => [name, { type: 'integer' }])) };
    fieldMeanings(declared)(schema, [domain]);
    return (schema.properties['count'] as { description?: string }).description;
  };
  expect(meaning(['count', 'plain', 'inner', 'last', 'more'], 'a')).toBe('First line and second, see Other.');
  // Two objects of the same size disagree.
  expect(meaning(['count'], 'a')).toBeUndefined();
  expect(meaning(['count', 'plain'], 'a')).toBe('First line and second, see Other.');
  expect(meaning(['count', 'other'], 'a')).toBeUndefined();
  expect(meaning(['count', 'plain', 'inner', 'last'], 'b')).toBe('First line and second, see Other.');
  expect(meaning(['count', 'more'], 'b')).toBeUndefined();
  const own = { properties: { id: { type: 'integer', description: 'Own words.' }, port: { type: 'integer' } } };
  fieldMeanings([])(own, []);
  expect(own.properties).toMatchObject({
    id: { description: 'Own words.' },
    port: { description: 'Port, 1 to 65535.' },
  });
});

test("a name has its domain's meaning, in paths and queries too", () => {
  const operation = {
    parameters: [{ name: 'autoRenew', in: 'query', schema: { type: 'string' } as JsonSchema }],
    requestBody: { properties: { totalGB: { type: 'integer' } as JsonSchema } },
  };
  fieldMeanings([])(operation, ['clients']);
  expect(operation.parameters[0]!.schema['description']).toMatch(/^on = only those that renew/);
  expect(operation.requestBody.properties.totalGB['description']).toBe('Quota in bytes, 0 = unlimited.');
});

test('the contracts of this panel describe their fields', async () => {
  const { objects } = await readFieldNotes();
  const settings = objects.find(({ domain, names }) => domain === 'settings' && names.includes('webListen'));
  expect(settings?.notes).toMatchObject({ sessionMaxAge: 'Minutes until a session ends, at most a year.' });
  expect(settings?.names).toContain('ldapDefaultLimitIP');
});

interface Field {
  /** Call and the members around it. */
  place: string;
  name: string;
  description: unknown;
}

/** Members and parameters of a part of the document. */
function fieldsOf(part: unknown, place: string): Field[] {
  if (typeof part !== 'object' || part === null) return [];
  if (Array.isArray(part)) return part.flatMap((one) => fieldsOf(one, place));
  const { parameters = [], properties = {}, ...others } = part as JsonSchema;
  const named = [
    ...(parameters as { name: string; schema: JsonSchema }[]).map(({ name, schema }) => [name, schema] as const),
    ...Object.entries(properties as Record<string, JsonSchema>),
  ];
  return [
    ...named.flatMap(([name, member]) =>
      // The result of a call, described by the call's summary.
      name === 'obj' && 'msg' in (properties as object)
        ? fieldsOf(member, place)
        : [{ place, name, description: member['description'] }, ...fieldsOf(member, `${place} ${name}`)],
    ),
    ...Object.values(others).flatMap((one) => fieldsOf(one, place)),
  ];
}

test('every field of every call has a meaning, stated in one place', async () => {
  const panel = await openPanel();
  try {
    const [{ domains }, document] = await Promise.all([
      readFieldNotes(),
      panel.get('/openapi.json') as Promise<unknown> as Promise<ApiDocument>,
    ]);
    const ofCalls = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, operation]) => {
        const contract = domains[path.replaceAll(/\{(\w+)\}/g, ':$1')];
        expect(contract, `contract.ts that declares ${path}`).toBeDefined();
        return fieldsOf(operation, `${method.toUpperCase()} ${path} (domain ${contract}):`);
      }),
    );
    const fields = [...ofCalls, ...fieldsOf(document['components'], 'components:')];
    const without = fields.filter(({ description }) => typeof description !== 'string');
    expect(
      [...new Set(without.map(({ place, name }) => `${place} ${name}`))],
      `Say what these mean, with units and what 0 and empty stand for: in a comment before the field in contract.ts of the
      domain, or for a name that means the same in a whole domain or everywhere in domain-fields.ts or common-fields.ts. A
      field that has its comment is left out where another object of the domain with as many members says otherwise.`,
    ).toEqual([]);
    const said = new Set(fields.map(({ name, description }) => `${name}: ${String(description)}`));
    const shared = [COMMON_FIELDS, SETTING_FIELDS, ...Object.values(DOMAIN_FIELDS)].flatMap((table) =>
      Object.entries(table).map(([name, meaning]) => `${name}: ${meaning}`),
    );
    expect(
      shared.filter((meaning) => !said.has(meaning)),
      'No field needs these of common-fields.ts, domain-fields.ts and setting-fields.ts any more: their contracts say it.',
    ).toEqual([]);
  } finally {
    await panel.close();
  }
});
