import { button, type Keyboard } from './chat.ts';
import type { BotTools } from './tools.ts';

/** Clients or inbounds per page. */
export const PAGE_SIZE = 10;

/** Buttons to the previous and next page, and to the menu. */
export function pageButtons(
  { label }: Pick<BotTools, 'label'>,
  page: number,
  total: number,
  verb: string,
  ...args: (string | number)[]
): Keyboard {
  const back = page > 1 ? [button(label('button.previous'), verb, ...args, page - 1)] : [];
  const on = page * PAGE_SIZE < total ? [button(label('button.next'), verb, ...args, page + 1)] : [];
  return [[...back, ...on, button(label('button.menu'), 'menu')]];
}
