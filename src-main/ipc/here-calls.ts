import * as z from 'zod';
import { GivenPassphrase, LockChoicesInput } from '../lock/lock-calls.ts';
import type { Lock } from '../lock/lock.ts';
import { Passphrase } from '../lock/passphrase.ts';
import { BackupsChoicesInput, VantageChoicesInput } from '../panels/here/here-choices.ts';
import type { PanelsHere } from '../shell/panels-here.ts';
import { handle } from './handle.ts';

const Nothing = z.undefined();
const Id = z.string().regex(/^[\w-]{1,64}$/);
const Backup = { panelId: Id, takenAtMs: z.int().min(0).max(8.64e15) };
const Names = z.array(z.string().min(1).max(256)).max(1_000);
const Parts = z.object({ ...Backup, toId: Id, inbounds: Names, clients: Names });

/** The calls of the pages of backups and of trials from here. */
export function registerHereCalls({ calls }: Pick<PanelsHere, 'calls'>): void {
  handle('here.backups', Nothing, () => calls.backups());
  handle('here.setBackups', BackupsChoicesInput, calls.setBackups);
  handle('here.usePassphrase', Passphrase, calls.usePassphrase);
  handle('here.contents', z.object({ ...Backup, text: z.string().max(1_000) }), calls.contents);
  handle('here.plan', Parts, calls.plan);
  handle('here.remove', z.object(Backup), calls.remove);
  handle('here.pull', Id, calls.pull);
  handle('here.check', z.object(Backup), calls.check);
  handle('here.exportTo', z.object(Backup), calls.exportTo);
  handle('here.restore', z.object({ ...Backup, toId: Id }), calls.restore);
  handle('here.restoreParts', Parts, calls.restoreParts);
  handle('here.vantage', Nothing, () => calls.vantage());
  handle('here.setVantage', VantageChoicesInput, calls.setVantage);
  handle('here.tryPanel', Id, calls.tryPanel);
  handle('here.runs', Id, calls.runs);
  handle('here.cancel', z.int(), calls.cancel);
  handle('here.tasks', Nothing, () => calls.tasks());
}

/** The calls of the lock. */
export function registerLockCalls(lock: Lock): void {
  handle('lock.view', Nothing, () => lock.view());
  handle('lock.lockNow', Nothing, () => lock.lock());
  handle('lock.answer', GivenPassphrase, (passphrase) => lock.answer(passphrase));
  handle('lock.set', LockChoicesInput, (choices) => lock.set(choices));
}
