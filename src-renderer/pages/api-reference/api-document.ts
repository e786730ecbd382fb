/** The parts of a JSON schema that the page shows. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  description?: string;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  additionalProperties?: Schema | boolean;
}

export type Schemas = Readonly<Record<string, Schema>>;

export interface Parameter {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  schema: Schema;
}

interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Record<string, { schema: Schema; example?: unknown }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

/** The parts of an OpenAPI document that the page reads. */
export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Schemas };
}

/** One call of the panel. */
export interface ApiCall {
  id: string;
  group: string;
  /** In the transport's spelling. */
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  summary: string;
  parameters: readonly Parameter[];
  /** Null when it takes no body, or a form with a file. */
  body: Schema | null;
  /** An example body; absent where the document has none. */
  example?: unknown;
  /** What `obj` of the response holds; null for files. */
  result: Schema | null;
  isFile: boolean;
  /** The form with a file that it takes; null when it takes none. */
  upload: Schema | null;
  /** Its result is in `obj`, beside `success` and `msg`. */
  isEnvelope: boolean;
}

/** Every call, in the order of the document. */
export function callsOf(document: ApiDocument): ApiCall[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      const content = operation.responses['200']?.content ?? {};
      const isFile = Object.values(content).some(({ schema }) => schema.format === 'binary');
      const sent = operation.requestBody?.content['application/json'];
      return {
        id: operation.operationId,
        group: operation.tags[0] ?? '',
        method: method.toUpperCase() as ApiCall['method'],
        path,
        summary: operation.summary,
        parameters: operation.parameters ?? [],
        body: sent?.schema ?? null,
        example: sent?.example,
        result: isFile ? null : resultOf(content['application/json']?.schema),
        isFile,
        upload: operation.requestBody?.content['multipart/form-data']?.schema ?? null,
        isEnvelope: content['application/json']?.schema?.anyOf?.[0]?.properties?.['obj'] !== undefined,
      };
    }),
  );
}

/** Calls whose path, summary or group holds a text. */
export function matchingCalls(calls: readonly ApiCall[], search: string): ApiCall[] {
  const wanted = search.trim().toLowerCase();
  return calls.filter(({ path, summary, group }) => `${path}\n${summary}\n${group}`.toLowerCase().includes(wanted));
}

/** The envelope around results is the same everywhere, so only its content is shown. */
function resultOf(schema: Schema | undefined): Schema | null {
  return schema?.anyOf?.[0]?.properties?.['obj'] ?? schema ?? null;
}
