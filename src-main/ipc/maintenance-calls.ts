import * as z from 'zod';
import { GivenPassphrase, LockChoicesInput } from '../lock/lock-calls.ts';
import type { Lock } from '../lock/lock.ts';
import { Passphrase } from '../lock/passphrase.ts';
import { BackupsChoicesInput, ReachabilityChoicesInput } from '../panels/maintenance/maintenance-choices.ts';
import type { Maintenance } from '../shell/maintenance/maintenance.ts';
import { handle } from './handle.ts';

const Nothing = z.undefined();
const Id = z.string().regex(/^[\w-]{1,64}$/);
const Backup = { panelId: Id, takenAtMs: z.int().min(0).max(8.64e15) };
const Names = z.array(z.string().min(1).max(256)).max(1_000);
const Parts = z.object({ ...Backup, toId: Id, inbounds: Names, clients: Names });

/** The calls for backups and for trials from this computer. */
export function registerMaintenanceCalls({ calls }: Pick<Maintenance, 'calls'>): void {
  handle('maintenance.backups', Nothing, () => calls.backups());
  handle('maintenance.setBackups', BackupsChoicesInput, calls.setBackups);
  handle('maintenance.usePassphrase', Passphrase, calls.usePassphrase);
  handle('maintenance.contents', z.object({ ...Backup, text: z.string().max(1_000) }), calls.contents);
  handle('maintenance.plan', Parts, calls.plan);
  handle('maintenance.remove', z.object(Backup), calls.remove);
  handle('maintenance.pull', Id, calls.pull);
  handle('maintenance.check', z.object(Backup), calls.check);
  handle('maintenance.exportTo', z.object(Backup), calls.exportTo);
  handle('maintenance.restore', z.object({ ...Backup, toId: Id }), calls.restore);
  handle('maintenance.restoreParts', Parts, calls.restoreParts);
  handle('maintenance.reachability', Nothing, () => calls.reachability());
  handle('maintenance.setReachability', ReachabilityChoicesInput, calls.setReachability);
  handle('maintenance.tryPanel', Id, calls.tryPanel);
  handle('maintenance.runs', Id, calls.runs);
  handle('maintenance.cancel', z.int(), calls.cancel);
  handle('maintenance.forget', z.int(), calls.forget);
  handle('maintenance.tasks', Nothing, () => calls.tasks());
}

/** The calls for the lock. */
export function registerLockCalls(lock: Lock): void {
  handle('lock.view', Nothing, () => lock.view());
  handle('lock.lockNow', Nothing, () => lock.lock());
  handle('lock.answer', GivenPassphrase, (passphrase) => lock.authenticate(passphrase));
  handle('lock.set', LockChoicesInput, (choices) => lock.set(choices));
}
