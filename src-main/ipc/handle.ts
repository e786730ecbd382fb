import { ipcMain } from 'electron';
import type * as z from 'zod';
import { guarded } from './guarded.ts';

let check: (channel: string) => void = () => undefined;

/** Runs before every call. @param rule throws the refusal for the page */
export function checkCalls(rule: (channel: string) => void): void {
  check = rule;
}

/** Registers one IPC call: only our own page may call it, and only with arguments that parse. */
export function handle<A extends z.ZodType, R>(
  channel: string,
  args: A,
  run: (input: z.output<A>) => R | Promise<R>,
): void {
  const checked = (input: z.output<A>): R | Promise<R> => {
    check(channel);
    return run(input);
  };
  ipcMain.handle(channel, guarded(channel, args, checked));
}
