import * as z from 'zod';
import { GivenPassphrase, LockChoicesInput } from '../lock/lock-calls.ts';
import type { Lock } from '../lock/lock.ts';
import { Passphrase } from '../lock/passphrase.ts';
import { BackupsChoicesInput, VantageChoicesInput } from '../panels/work/work-choices.ts';
import type { PanelWork } from '../shell/panel-work.ts';
import { handle } from './handle.ts';

const Nothing = z.undefined();
const Id = z.string().regex(/^[\w-]{1,64}$/);
const Backup = { panelId: Id, takenAtMs: z.int().min(0).max(8.64e15) };
const Names = z.array(z.string().min(1).max(256)).max(1_000);
const Parts = z.object({ ...Backup, toId: Id, inbounds: Names, clients: Names });

/** The calls of the pages of backups and of trials from here. */
export function registerPanelWorkCalls({ calls }: Pick<PanelWork, 'calls'>): void {
  handle('work.backups', Nothing, () => calls.backups());
  handle('work.setBackups', BackupsChoicesInput, calls.setBackups);
  handle('work.usePassphrase', Passphrase, calls.usePassphrase);
  handle('work.contents', z.object({ ...Backup, text: z.string().max(1_000) }), calls.contents);
  handle('work.plan', Parts, calls.plan);
  handle('work.remove', z.object(Backup), calls.remove);
  handle('work.pull', Id, calls.pull);
  handle('work.check', z.object(Backup), calls.check);
  handle('work.exportTo', z.object(Backup), calls.exportTo);
  handle('work.restore', z.object({ ...Backup, toId: Id }), calls.restore);
  handle('work.restoreParts', Parts, calls.restoreParts);
  handle('work.vantage', Nothing, () => calls.vantage());
  handle('work.setVantage', VantageChoicesInput, calls.setVantage);
  handle('work.tryPanel', Id, calls.tryPanel);
  handle('work.runs', Id, calls.runs);
  handle('work.cancel', z.int(), calls.cancel);
  handle('work.tasks', Nothing, () => calls.tasks());
}

/** The calls of the lock. */
export function registerLockCalls(lock: Lock): void {
  handle('lock.view', Nothing, () => lock.view());
  handle('lock.lockNow', Nothing, () => lock.lock());
  handle('lock.answer', GivenPassphrase, lock.answer);
  handle('lock.set', LockChoicesInput, lock.set);
}
