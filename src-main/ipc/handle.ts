import { ipcMain } from 'electron';
import type * as z from 'zod';
import { guarded } from './guarded.ts';

/** Registers one IPC call: only our own page may call it, and only with arguments that parse. */
export function handle<A extends z.ZodType, R>(
  channel: string,
  args: A,
  run: (input: z.output<A>) => R | Promise<R>,
): void {
  ipcMain.handle(channel, guarded(channel, args, run));
}
