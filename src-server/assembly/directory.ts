import { createDirectoryService } from '../domains/directory/service.ts';
import { createDirectorySignIn } from '../domains/directory/sign-in.ts';
import type { Engine } from './engine.ts';
import type { Foundation } from './foundation.ts';
import type { Records } from './records.ts';

/** Clients and passwords of admins from a directory. */
export function createDirectory(base: Foundation, { dialer }: Engine, { clients }: Records) {
  const { closers, clock, log, store, schedule, settings, publish, english } = base;
  const service = createDirectoryService({
    store,
    dialer,
    settings,
    clients,
    schedule,
    clock,
    log,
    publish,
    textOf: ({ code, params }) => english(code, params),
  });
  closers.push(() => service.close());
  return { service, isRightPassword: createDirectorySignIn({ dialer, settings: () => settings.current(), log }) };
}
