import { button, type Keyboard } from './chat.ts';
import type { BotTools } from './tools.ts';

/** Clients or inbounds per page. */
export const PAGE_SIZE = 10;

type Labels = Pick<BotTools, 'label'>;

/** Buttons to the previous and the next page, where there is one. */
export function turnButtons(
  { label }: Labels,
  page: number,
  total: number,
  verb: string,
  ...args: (string | number)[]
): { back: Keyboard[number]; on: Keyboard[number] } {
  return {
    back: page > 1 ? [button(label('button.previous'), verb, ...args, page - 1)] : [],
    on: page * PAGE_SIZE < total ? [button(label('button.next'), verb, ...args, page + 1)] : [],
  };
}

/** Buttons to the previous and next page, and to the menu. */
export function pageButtons(
  tools: Labels,
  page: number,
  total: number,
  verb: string,
  ...args: (string | number)[]
): Keyboard {
  const { back, on } = turnButtons(tools, page, total, verb, ...args);
  return [[...back, ...on, button(tools.label('button.menu'), 'menu')]];
}
