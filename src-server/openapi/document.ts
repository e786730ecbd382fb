import { setImmediate as breathe } from 'node:timers/promises';
import type { Endpoint } from '../contract/endpoint.ts';
import { Refusal, ValidationFailure } from '../contract/envelope.ts';
import { fieldMeanings } from './field-meanings.ts';
import { NO_NOTES, type FieldNotes } from './field-notes.ts';
import { documentSchema, type Components } from './json-schema.ts';
import { describe, tagOf, templatedPath, type Operation } from './operation.ts';

export type ApiDocument = Record<string, unknown> & { paths: Record<string, Record<string, Operation>> };

export interface DocumentOptions {
  version: string;
  /** `/` or `/prefix/`. */
  basePath: string;
  sessionCookie: string;
  /** What is known about the fields of the endpoints, beyond their schemas. */
  fieldNotes?: FieldNotes;
}

const DESCRIPTION = `Programs sign in with an API token: \`Authorization: Bearer TOKEN\`. Browsers send their session and, with every
call but GET, the token of \`GET /csrf-token\` as \`X-CSRF-Token\`. Answers are \`{ success, msg, obj }\`. A refusal has the status 200 too,
with \`success: false\` and a stable code in \`error\`. Where a field says nothing else, amounts are bytes and times are ms since 1970.`;

/** Endpoints described in one go; describing all of them would block the thread too long. */
const AT_ONCE = 4;

/**
 * OpenAPI 3.1 document of the endpoints, in their order.
 * @throws when two endpoints share a method and path, or a path cannot be described
 */
export async function buildApiDocument(
  endpoints: readonly Endpoint[],
  { version, basePath, sessionCookie, fieldNotes = NO_NOTES }: DocumentOptions,
): Promise<ApiDocument> {
  const schemas: Components = {
    Failure: {
      type: 'object',
      required: ['success', 'msg', 'obj'],
      properties: {
        success: { const: false, description: 'The call did not do what it was asked' },
        msg: { type: 'string', description: 'The reason, for a person' },
        obj: {
          description: 'Every offending field when the input was refused; null otherwise',
          anyOf: [documentSchema(ValidationFailure, 'ValidationFailure', {}), { type: 'null' }],
        },
        error: {
          ...documentSchema(Refusal, 'Refusal', {}),
          description: 'What msg says in English, for programs; absent where nothing is known',
        },
      },
    },
  };
  const paths: ApiDocument['paths'] = {};
  const addMeanings = fieldMeanings(fieldNotes.objects);
  addMeanings(schemas, []);
  for (const [index, endpoint] of endpoints.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await breathe();
    const item = (paths[templatedPath(endpoint.path)] ??= {});
    const method = endpoint.method.toLowerCase();
    if (method in item) throw new Error(`two endpoints are mounted at ${endpoint.method} ${endpoint.path}`);
    const before = new Set(Object.keys(schemas));
    const operation = describe(endpoint, schemas);
    const domains = [fieldNotes.domains[endpoint.path] ?? '', tagOf(endpoint.path)];
    addMeanings(operation, domains);
    for (const name of Object.keys(schemas).filter((one) => !before.has(one))) addMeanings(schemas[name]!, domains);
    item[method] = operation;
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Panel API', version, description: DESCRIPTION.replaceAll('\n', ' ') },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: [{ url: basePath.replace(/\/+$/, '') || '/' }],
    tags: [...new Set(endpoints.map(({ path }) => tagOf(path)))].sort().map((name) => ({ name })),
    paths,
    components: {
      schemas,
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: sessionCookie },
        csrfToken: { type: 'apiKey', in: 'header', name: 'X-CSRF-Token', description: 'From GET /csrf-token' },
        bearer: { type: 'http', scheme: 'bearer', description: 'API token' },
        clientCertificate: { type: 'mutualTLS', description: 'Certificate of a trusted panel' },
      },
      responses: {
        Unauthorized: { description: 'Not signed in; empty, for requests with X-Requested-With: XMLHttpRequest' },
        Hidden: { description: 'Not signed in; empty' },
        Forged: { description: 'The CSRF token is missing or wrong' },
      },
    },
  };
}
