import { Validator } from '@seriousme/openapi-schema-validator';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { endpoint, type Endpoint } from '../contract/endpoint.ts';
import { coreSettingsRoutes } from '../domains/coreSettings/routes.ts';
import type { CoreSettingsService } from '../domains/coreSettings/service.ts';
import { serverRoutes } from '../domains/server/routes.ts';
import type { CertificateHashes } from '../domains/server/certificate-hash.ts';
import type { ServerService } from '../domains/server/service.ts';
import type { KeyGenerators } from '../core/keys/key-generators.ts';
import { bind } from '../http/bind.ts';
import { serveRoutes, type ServedRoutes } from '../testing/peers/serve-routes.ts';
import { buildApiDocument, type ApiDocument } from './document.ts';
import { openApiRoutes } from './routes.ts';

const OPTIONS = { version: '1.2.3', basePath: '/', sessionCookie: 'panel_session' };
let panel: ServedRoutes | null = null;
afterEach(async () => {
  await panel?.close();
  panel = null;
});

const build = (...endpoints: unknown[]) => buildApiDocument(endpoints as Endpoint[], OPTIONS);

async function complaints(document: ApiDocument): Promise<unknown> {
  const { valid, errors } = await new Validator().validate(document);
  return valid ? [] : errors;
}

/** Everything the document refers to, and the method and path of everything it describes. */
function walk(document: ApiDocument) {
  const references: string[] = [];
  JSON.stringify(document, (key, value: unknown) => {
    if (key === '$ref') references.push(String(value));
    return value;
  });
  const described = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
  );
  return { references, described };
}

function resolve(document: ApiDocument, reference: string): unknown {
  return reference
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document);
}

describe('the served document', () => {
  it('is valid OpenAPI 3.1 and describes every mounted route exactly once, and nothing else', async () => {
    panel = await serveRoutes((ctx) => {
      serverRoutes(ctx, {} as ServerService, {} as KeyGenerators, {} as CertificateHashes);
      openApiRoutes(ctx, OPTIONS);
      // Mounted later, but described all the same.
      coreSettingsRoutes(ctx, {} as CoreSettingsService);
    }, {});
    const document = (await panel.get('/panel/api/openapi.json')) as unknown as ApiDocument;
    expect(await complaints(document)).toEqual([]);
    const mounted = panel.mounted.endpoints.map(({ method, path }) => `${method} ${path}`);
    const { described, references } = walk(document);
    expect(described.sort()).toEqual(mounted.sort());
    expect(described).toContain('GET /panel/api/openapi.json');
    for (const reference of references) expect(resolve(document, reference), reference).toBeDefined();
    const ids = Object.values(document.paths).flatMap((item) => Object.values(item).map((one) => one['operationId']));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('notices an endpoint that is mounted after the first request', async () => {
    panel = await serveRoutes((ctx) => {
      openApiRoutes(ctx, OPTIONS);
      bind(ctx, endpoint('POST', '/panel/api/late', { summary: 'Late', result: z.null() }), () => {
        bind(ctx, endpoint('GET', '/panel/api/later', { summary: '', result: z.null() }), () => null);
        return null;
      });
    }, {});
    const paths = async () =>
      Object.keys(((await panel!.get('/panel/api/openapi.json')) as unknown as ApiDocument).paths);
    expect(await paths()).not.toContain('/panel/api/later');
    await panel.post('/panel/api/late');
    expect(await paths()).toContain('/panel/api/later');
  });
});

describe('one endpoint', () => {
  const Id = z.string().regex(/^\d+$/).transform(Number);
  const operation = async (...call: Parameters<typeof endpoint>) => {
    const document = await build(endpoint(...call));
    expect(await complaints(document)).toEqual([]);
    return { document, operation: Object.values(Object.values(document.paths)[0]!)[0]! };
  };

  it('shows path, query and body as they are sent', async () => {
    const { document, operation: described } = await operation('POST', '/panel/api/clients/groups/:name/:id', {
      summary: 'S',
      params: z.object({ id: Id, name: z.string() }),
      query: z.object({ page: z.coerce.number().default(1), filter: z.enum(['a', 'b']) }),
      encoding: 'either',
      body: z.object({ on: z.stringbool(), count: z.preprocess(Number, z.int().default(3)) }),
      result: z.object({ n: z.int() }),
    });
    expect(Object.keys(document.paths)).toEqual(['/panel/api/clients/groups/{name}/{id}']);
    expect(described).toMatchObject({
      operationId: 'post_panel_api_clients_groups_name_id',
      tags: ['groups'],
      parameters: [
        { name: 'name', in: 'path', required: true, schema: { type: 'string' } },
        { name: 'id', in: 'path', required: true, schema: { type: 'string', pattern: '^\\d+$' } },
        { name: 'page', in: 'query', required: false },
        { name: 'filter', in: 'query', required: true, schema: { enum: ['a', 'b'] } },
      ],
      security: [{ session: [], csrfToken: [] }, { bearer: [] }, { clientCertificate: [] }],
    });
    const { content, required } = described['requestBody'] as { content: object; required: boolean };
    expect(required).toBe(true);
    expect(Object.keys(content)).toEqual(['application/json', 'application/x-www-form-urlencoded']);
    expect(content).toHaveProperty(['application/json', 'schema', 'required'], ['on']);
    expect(described).toHaveProperty(
      ['responses', '200', 'content', 'application/json', 'schema', 'anyOf', 0, 'properties', 'obj', 'type'],
      'object',
    );
    expect(Object.keys(described['responses'] as object)).toEqual(['200', '401', '403', '404']);
  });

  it('shows who may call', async () => {
    const shape = { summary: '', result: z.null(), access: 'public' } as const;
    expect((await operation('GET', '/login', shape)).operation).toMatchObject({ security: [], tags: ['session'] });
    expect((await operation('POST', '/login', shape)).operation['security']).toEqual([{ csrfToken: [] }]);
  });

  it('carries files and recursive shapes', async () => {
    const { operation: upload } = await operation('POST', '/panel/api/server/importDB', {
      summary: '',
      encoding: 'upload',
      fileField: 'db',
      body: z.object({ wanted: z.string().default('') }),
      response: 'attachment',
      result: z.json(),
    });
    expect(upload).toHaveProperty(['requestBody', 'content', 'multipart/form-data', 'schema'], {
      type: 'object',
      required: ['db'],
      properties: {
        db: { type: 'string', format: 'binary', description: 'The file.' },
        wanted: { type: 'string', default: '' },
      },
    });
    expect(upload).toHaveProperty(['responses', '200', 'content', 'application/octet-stream']);
    const Tree: z.ZodType = z.object({ children: z.array(z.lazy(() => Tree)), any: z.json() });
    const { document } = await operation('GET', '/panel/api/nodes', { summary: '', result: Tree });
    const { references } = walk(document);
    expect(references).toContain('#/components/schemas/get_panel_api_nodes.result');
    for (const reference of references) expect(resolve(document, reference), reference).toBeDefined();
  });

  it('names the content types of files and pages', async () => {
    const contentOf = async (shape: object) => {
      const { operation: described } = await operation('GET', '/a', { summary: '', result: z.string(), ...shape });
      return (described['responses'] as Record<string, { content: object }>)['200']!.content;
    };
    const file = { schema: { type: 'string', format: 'binary' } };
    expect(await contentOf({ response: 'attachment', types: ['text/csv'] })).toEqual({
      'text/csv': file,
      'application/json': { schema: { $ref: '#/components/schemas/Failure' } },
    });
    expect(await contentOf({ response: 'attachment', types: ['text/csv', 'application/json'] })).toEqual({
      'text/csv': file,
      'application/json': {
        schema: { anyOf: [{ description: 'The file' }, { $ref: '#/components/schemas/Failure' }] },
      },
    });
    expect(await contentOf({ response: 'raw', types: ['text/html'] })).toEqual({
      'text/html': { schema: { type: 'string' } },
    });
  });

  it('is refused when a document cannot describe it correctly', async () => {
    const shape = { summary: '', result: z.null() };
    const one = endpoint('GET', '/panel/api/a/:id', shape);
    await expect(build(one, one)).rejects.toThrow('two endpoints are mounted at GET /panel/api/a/:id');
    await expect(build(endpoint('GET', '/panel/api/a{/:id}', shape))).rejects.toThrow('cannot describe');
    await expect(build(endpoint('GET', '/panel/(.*)', shape))).rejects.toThrow('cannot describe');
  });

  it('is listed below the base path', async () => {
    const { servers } = (await buildApiDocument([], { ...OPTIONS, basePath: '/hidden/' })) as unknown as {
      servers: { url: string }[];
    };
    expect(servers).toEqual([{ url: '/hidden' }]);
  });
});
