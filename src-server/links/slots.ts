import { randomUUID } from 'node:crypto';

/** Stands in a prepared text for what is the client's; nothing outside this process can write it. */
const MARK = randomUUID();
const SPLIT = new RegExp(`"${MARK}(\\w+)"`);

/** Placeholder for the value of a name. */
export function slot(name: string): string {
  return MARK + name;
}

/** Cuts a JSON text at its placeholders, so that a client's values cost a join. */
export function compileJson(text: string): (values: Readonly<Record<string, string>>) => string {
  const pieces = text.split(SPLIT);
  return (values) => pieces.map((piece, at) => (at % 2 === 0 ? piece : JSON.stringify(values[piece] ?? ''))).join('');
}
