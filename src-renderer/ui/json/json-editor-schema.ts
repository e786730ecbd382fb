import { syntaxTree } from '@codemirror/language';
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import type { Text } from '@codemirror/state';

type Node = ReturnType<ReturnType<typeof syntaxTree>['resolveInner']>;

/** The part of a JSON Schema used for hints. */
export interface JsonSchema {
  description?: string;
  properties?: Readonly<Record<string, JsonSchema>>;
  items?: JsonSchema;
  enum?: readonly (string | number | boolean | null)[];
}

/** Offers the keys of the object, or the values of the key, at the cursor. */
export function schemaHints(schema: JsonSchema) {
  return (context: CompletionContext): CompletionResult | null => {
    const { doc } = context.state;
    const node = syntaxTree(context.state).resolveInner(context.pos, -1);
    const word = context.matchBefore(/"?[\w-]*$/);
    if (word === null || (word.from === word.to && !context.explicit)) return null;
    const isKey = node.name === 'PropertyName' || node.name === 'Object';
    const place = isKey ? parentObject(node) : node;
    const found = schemaAt(schema, place === null ? [] : pathOf(place, doc));
    const options = isKey ? keysOf(found) : valuesOf(found);
    return options.length === 0 ? null : { from: word.from, options, validFor: /^"?[\w-]*$/ };
  };
}

function keysOf(schema: JsonSchema | undefined): Completion[] {
  return Object.entries(schema?.properties ?? {}).map(([name, { description }]) => ({
    label: `"${name}"`,
    type: 'property',
    ...(description === undefined ? {} : { info: description }),
  }));
}

function valuesOf(schema: JsonSchema | undefined): Completion[] {
  return (schema?.enum ?? []).map((value) => ({ label: JSON.stringify(value), type: 'constant' }));
}

const parentObject = (node: Node): Node | null => {
  for (let at: Node | null = node; at !== null; at = at.parent) if (at.name === 'Object') return at;
  return null;
};

/** Keys from the root to a node; an array counts as `null`. */
function pathOf(node: Node, doc: Text): (string | null)[] {
  const path: (string | null)[] = [];
  for (let at: Node | null = node; at !== null; at = at.parent) {
    if (at.name === 'Array') path.unshift(null);
    if (at.name !== 'Property') continue;
    const name = at.getChild('PropertyName');
    if (name !== null) path.unshift(doc.sliceString(name.from + 1, name.to - 1));
  }
  return path;
}

function schemaAt(schema: JsonSchema, path: readonly (string | null)[]): JsonSchema | undefined {
  return path.reduce<JsonSchema | undefined>(
    (at, step) => (step === null ? at?.items : at?.properties?.[step]),
    schema,
  );
}
