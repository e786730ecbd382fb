import * as z from 'zod';

export type JsonSchema = { [key: string]: unknown };

/** Schemas under `#/components/schemas`, by name. */
export type Components = Record<string, JsonSchema>;

/**
 * The schema of sent data, as JSON Schema 2020-12 for use inside a document. Recursive parts move to `components`,
 * because their references would point to the root of the document.
 * @param name prefix of the components this schema needs; unique per schema.
 */
export function documentSchema(schema: z.ZodType, name: string, components: Components): JsonSchema {
  const { $schema: _, $defs, ...root } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const place = (reference: string): string =>
    `#/components/schemas/${reference === '#' ? name : `${name}.${reference.slice('#/$defs/'.length)}`}`;
  let refersToRoot = false;
  const moved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(moved);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => {
        if (key !== '$ref' || typeof member !== 'string') return [key, moved(member)];
        refersToRoot ||= member === '#';
        return [key, place(member)];
      }),
    );
  };
  for (const [key, definition] of Object.entries(($defs ?? {}) as Components))
    components[`${name}.${key}`] = moved(definition) as JsonSchema;
  const result = moved(root) as JsonSchema;
  if (!refersToRoot) return result;
  components[name] = result;
  return { $ref: place('#') };
}
