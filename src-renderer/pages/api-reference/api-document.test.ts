import { describe, expect, it } from 'vitest';
import { callsOf, matchingCalls, type ApiCall, type ApiDocument, type Schemas } from './api-document.ts';
import { curlSample, typescriptSample } from './code-samples.ts';
import { exampleOf, schemaRows, typeOf } from './schema-view.ts';

const NODE = { type: 'object', properties: { next: { $ref: '#/components/schemas/Node' } }, required: ['next'] };
const SCHEMAS: Schemas = { Node: NODE };
const BODY = {
  type: 'object',
  required: ['client'],
  properties: {
    client: {
      type: 'object',
      required: ['email'],
      properties: { email: { type: 'string', minLength: 1 }, limit: { type: 'integer', minimum: 0, maximum: 9 } },
    },
    ids: { type: 'array', items: { type: 'integer' }, default: [] },
  },
};
const DOCUMENT: ApiDocument = {
  paths: {
    '/a/{id}': {
      get: {
        operationId: 'get_a',
        tags: ['things'],
        summary: 'One thing',
        responses: { '200': { content: { 'text/csv': { schema: { type: 'string', format: 'binary' } } } } },
      },
      post: {
        operationId: 'post_a',
        tags: ['things'],
        summary: 'Change',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: BODY, example: { client: { email: 'a' } } } },
        },
        responses: {
          '200': {
            content: {
              'application/json': {
                schema: { anyOf: [{ properties: { obj: { type: 'null' } } }, { type: 'object' }] },
              },
            },
          },
        },
      },
    },
  },
  components: { schemas: SCHEMAS },
};

describe('the document', () => {
  it('is a list of calls, with files told apart and results without their envelope', () => {
    const [file, change] = callsOf(DOCUMENT);
    expect(file).toMatchObject({ method: 'GET', path: '/a/{id}', isFile: true, result: null, body: null });
    expect(change).toMatchObject({ method: 'POST', group: 'things', isFile: false, result: { type: 'null' } });
    expect(change?.example).toEqual({ client: { email: 'a' } });
  });

  it('is searched by path, summary and group', () => {
    const found = (text: string) => matchingCalls(callsOf(DOCUMENT), text).map(({ id }) => id);
    expect([found('CHANGE'), found('/a/'), found('nothing')]).toEqual([['post_a'], ['get_a', 'post_a'], []]);
  });
});

describe('a schema', () => {
  it('becomes lines with paths, types and required members', () => {
    expect(schemaRows(BODY, SCHEMAS).map(({ name, type, isRequired }) => [name, type, isRequired])).toEqual([
      ['client', 'object', true],
      ['client.email', 'string 1..', true],
      ['client.limit', 'integer 0..9', false],
      ['ids', 'integer[]', false],
    ]);
    expect(schemaRows({ type: 'string' }, SCHEMAS)).toHaveLength(1);
    const member = { type: 'object', properties: { a: { type: 'string' } } };
    expect(schemaRows({ anyOf: [member, member, { type: 'null' }] }, SCHEMAS).map(({ name }) => name)).toEqual(['a']);
  });

  it('gives an example of the required members', () => {
    expect(exampleOf(BODY, SCHEMAS)).toEqual({ client: { email: 'text' } });
    expect(exampleOf({ type: 'object', properties: { a: { enum: ['x'] }, b: { type: 'boolean' } } }, {})).toEqual({
      a: 'x',
      b: false,
    });
  });

  it('that contains itself terminates', () => {
    expect(schemaRows(NODE, SCHEMAS).length).toBeLessThan(10);
    expect(JSON.stringify(exampleOf(NODE, SCHEMAS)).length).toBeLessThan(200);
  });

  it('is described by its choices', () => {
    expect(typeOf({ anyOf: [{ type: 'string' }, { type: 'null' }] }, {})).toBe('string | null');
    expect(typeOf({ type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: 5 }, {})).toBe('integer ..5');
  });
});

function firstCall(document: ApiDocument): ApiCall {
  const [call] = callsOf(document);
  if (call === undefined) throw new Error('The document has no call.');
  return call;
}

describe('a call for programs', () => {
  const call = firstCall({
    ...DOCUMENT,
    paths: {
      '/clients/{email}/adjust': {
        post: {
          operationId: 'adjust',
          tags: ['clients'],
          summary: '',
          parameters: [
            { name: 'email', in: 'path', required: true, schema: {} },
            { name: 'dry', in: 'query', required: false, schema: {} },
          ],
          requestBody: {
            required: true,
            content: { 'application/json': { schema: BODY, example: { client: { email: 'a' } } } },
          },
          responses: {
            '200': {
              content: {
                'application/json': {
                  schema: {
                    anyOf: [
                      {
                        properties: {
                          obj: {
                            type: 'object',
                            required: ['n'],
                            properties: { n: { type: 'integer' }, 'a-b': { type: 'array', items: NODE } },
                          },
                        },
                      },
                    ],
                  },
                },
              },
            },
          },
        },
      },
    },
  });
  const options = { origin: 'https://p.example/base', body: `{\n  "note": "it's"\n}`, schemas: SCHEMAS };

  it('is a command that keeps the token out of it', () => {
    expect(curlSample(call, options)).toBe(
      [
        'curl',
        '-X POST',
        "'https://p.example/base/clients/EMAIL/adjust'",
        '-H "Authorization: Bearer $PANEL_TOKEN"',
        "-H 'Content-Type: application/json'",
        String.raw`-d '{"note":"it'\''s"}'`,
      ].join(' \\\n  '),
    );
  });

  it('is a program with the type of the result', () => {
    const sample = typescriptSample(call, options);
    expect(sample).toContain('type Result = {\n  n: number;\n  "a-b"?: Array<{\n');
    expect(sample).toContain('await fetch("https://p.example/base/clients/EMAIL/adjust", {\n  method: \'POST\',');
    expect(sample).toContain('if (!success) throw new Error(msg);');
    const file = firstCall(DOCUMENT);
    expect(typescriptSample(file, { ...options, body: '' })).toContain('await answer.arrayBuffer()');
    expect(curlSample(file, { ...options, body: '' })).toContain('-OJ');
    const upload = { type: 'object', properties: { db: { type: 'string', format: 'binary' }, note: {} } };
    const sent = { ...file, isFile: false, upload };
    expect(curlSample(sent, { ...options, body: '' })).toContain("-F 'db=@/path/to/file'");
    expect(typescriptSample(sent, { ...options, body: '' })).toContain(
      "const form = new FormData();\nform.append('db', await openAsBlob('/path/to/file'));\n\n",
    );
  });
});
