import { randomUUID } from 'node:crypto';

/** Marks a client's value in a prepared text; nothing outside this process can write this mark. */
const MARK = randomUUID();
const SPLIT = new RegExp(`"${MARK}(\\w+)"`);

/** Placeholder for the value of a name. */
export function slot(name: string): string {
  return MARK + name;
}

/** Splits a JSON text at its placeholders, so that a client's values cost only a join. */
export function compileJson(text: string): (values: Readonly<Record<string, string>>) => string {
  const pieces = text.split(SPLIT);
  return (values) => pieces.map((piece, at) => (at % 2 === 0 ? piece : JSON.stringify(values[piece] ?? ''))).join('');
}
