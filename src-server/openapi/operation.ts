import type { Endpoint } from '../contract/endpoint.ts';
import { EXAMPLES } from './examples.ts';
import { documentSchema, type Components, type JsonSchema } from './json-schema.ts';

export type Operation = { [key: string]: unknown };

/**
 * `/panel/api/clients/del/:email` → `/panel/api/clients/del/{email}`. @throws for a path that a document cannot express
 */
export function templatedPath(path: string): string {
  const templated = path.replace(/:(\w+)/g, '{$1}');
  if (!/^(?:\/(?:[\w.~-]+|\{\w+\}))*\/?$/.test(templated)) throw new Error(`cannot describe the path ${path}`);
  return templated;
}

/** Unique per method and path: `post_panel_api_clients_del_email`. */
export function operationId({ method, path }: Pick<Endpoint, 'method' | 'path'>): string {
  return `${method.toLowerCase()}${path.replace(/\/$/, '/root').replace(/[^A-Za-z0-9]+/g, '_')}`;
}

/** The domain an endpoint is listed under. */
export function tagOf(path: string): string {
  if (path.startsWith('/panel/api/clients/groups')) return 'groups';
  const domain = /^\/panel\/api\/(\w+)/.exec(path)?.[1] ?? 'session';
  return (
    { setting: 'settings', core: 'coreSettings', backuptobot: 'backup', openapi: 'documentation' }[domain] ?? domain
  );
}

/** One endpoint as an operation of the document; recursive schemas go to `components`. */
export function describe(endpoint: Endpoint, components: Components): Operation {
  const id = operationId(endpoint);
  const parameters = [...pathParameters(endpoint, id, components), ...queryParameters(endpoint, id, components)];
  const body = requestBody(endpoint, id, components);
  return {
    operationId: id,
    tags: [tagOf(endpoint.path)],
    summary: endpoint.summary,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === null ? {} : { requestBody: body }),
    responses: responses(endpoint, id, components),
    security: security(endpoint),
  };
}

function isUnsafe({ method }: Endpoint): boolean {
  return method !== 'GET';
}

/** Alternatives; within one, all parts are required. Only a browser session also needs the CSRF token. */
function security(endpoint: Endpoint): Record<string, string[]>[] {
  const csrf = isUnsafe(endpoint) ? { csrfToken: [] } : {};
  if (endpoint.access === 'public') return isUnsafe(endpoint) ? [csrf] : [];
  return [{ session: [], ...csrf }, { bearer: [] }, { clientCertificate: [] }];
}

function membersOf(schema: JsonSchema): { name: string; schema: JsonSchema; isRequired: boolean }[] {
  const required = (schema['required'] ?? []) as string[];
  return Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>).map(([name, member]) => ({
    name,
    schema: member,
    isRequired: required.includes(name),
  }));
}

function pathParameters({ path, params }: Endpoint, id: string, components: Components) {
  const members = params === undefined ? [] : membersOf(documentSchema(params, `${id}.params`, components));
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: members.find((member) => member.name === name)?.schema ?? { type: 'string' },
  }));
}

function queryParameters({ query }: Endpoint, id: string, components: Components) {
  if (query === undefined) return [];
  return membersOf(documentSchema(query, `${id}.query`, components)).map(({ name, schema, isRequired }) => ({
    name,
    in: 'query',
    required: isRequired,
    schema,
  }));
}

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const BODY_TYPES = {
  json: [JSON_TYPE],
  form: [FORM_TYPE],
  either: [JSON_TYPE, FORM_TYPE],
  upload: ['multipart/form-data'],
} as const;

function requestBody({ method, path, body, encoding, fileField }: Endpoint, id: string, components: Components) {
  if (body === undefined && encoding !== 'upload') return null;
  const fields = body === undefined ? { type: 'object' } : documentSchema(body, `${id}.body`, components);
  const schema = fileField === undefined ? fields : withFile(fields, fileField);
  const example = EXAMPLES[`${method} ${path}`];
  const content = { schema, ...(example === undefined ? {} : { example }) };
  return {
    // An absent body reads as an empty object.
    required: encoding === 'upload' || membersOf(schema).some(({ isRequired }) => isRequired),
    content: sameFor(BODY_TYPES[encoding ?? 'either'], content),
  };
}

function withFile(fields: JsonSchema, name: string): JsonSchema {
  const file = { type: 'string', format: 'binary', description: 'The file.' };
  return {
    ...fields,
    required: [name, ...((fields['required'] ?? []) as string[])],
    properties: { [name]: file, ...(fields['properties'] as JsonSchema | undefined) },
  };
}

const EMPTY = {
  unauthorized: { $ref: '#/components/responses/Unauthorized' },
  hidden: { $ref: '#/components/responses/Hidden' },
  forged: { $ref: '#/components/responses/Forged' },
};

function responses(endpoint: Endpoint, id: string, components: Components) {
  return {
    '200': success(endpoint, id, components),
    ...(endpoint.access === 'admin' ? { '401': EMPTY.unauthorized, '404': EMPTY.hidden } : {}),
    ...(isUnsafe(endpoint) ? { '403': EMPTY.forged } : {}),
  };
}

function success({ result, response = 'envelope', types }: Endpoint, id: string, components: Components) {
  const failure = { $ref: '#/components/schemas/Failure' };
  if (response === 'attachment') {
    const file = { schema: { type: 'string', format: 'binary' } };
    const isJson = types?.includes(JSON_TYPE) === true;
    const content = {
      ...sameFor(types ?? ['application/octet-stream'], file),
      [JSON_TYPE]: { schema: isJson ? { anyOf: [{ description: 'The file' }, failure] } : failure },
    };
    return { description: 'The file, or why there is none', content };
  }
  const obj = documentSchema(result, `${id}.result`, components);
  if (response === 'raw') return { description: 'The result', content: sameFor(types ?? [JSON_TYPE], { schema: obj }) };
  return {
    description: 'The result, or why it failed',
    content: { [JSON_TYPE]: { schema: { anyOf: [envelope(obj), failure] } } },
  };
}

function sameFor<T>(types: readonly string[], content: T): Record<string, T> {
  return Object.fromEntries(types.map((type) => [type, content]));
}

function envelope(obj: JsonSchema): JsonSchema {
  return {
    type: 'object',
    required: ['success', 'msg', 'obj'],
    properties: {
      success: { const: true, description: 'The call did what it was asked' },
      msg: { type: 'string', description: 'What was done, for a person; may be empty' },
      obj,
    },
  };
}
