import type * as z from 'zod';
import { isOwnPage } from '../guards/own-page.ts';

/** A channel's handler; the sender's frame is checked before the argument. */
export function guarded<A extends z.ZodType, R>(
  channel: string,
  args: A,
  run: (input: z.output<A>) => R | Promise<R>,
): (event: { senderFrame: { url: string } | null }, input?: unknown) => Promise<R> {
  return async (event, input) => {
    if (!isOwnPage(event.senderFrame?.url)) throw new Error(`refused ${channel}`);
    const parsed = args.safeParse(input);
    if (!parsed.success) throw new Error(`${channel} was called with something else than it takes`);
    return run(parsed.data);
  };
}
