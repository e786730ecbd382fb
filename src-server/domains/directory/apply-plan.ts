import type { Settings } from '../settings/contract.ts';
import type { DirectoryRun } from './contract.ts';
import type { MadePlan } from './make-plan.ts';

type Skipped = DirectoryRun['skipped'];

/** The operations of the clients domain that a run needs, in their API form. */
export interface ClientPort {
  bulkCreate(items: readonly unknown[], requestId: string): Promise<{ skipped: Skipped }>;
  bulkAttach(
    emails: readonly string[],
    inboundIds: readonly number[],
    requestId: string,
  ): Promise<{ errors: string[] }>;
  bulkSwitch(emails: readonly string[], isOn: boolean, requestId: string): Promise<{ skipped: Skipped }>;
  bulkDetach(
    emails: readonly string[],
    inboundIds: readonly number[],
    requestId: string,
  ): Promise<{ errors: string[] }>;
}

const GIB = 1024 ** 3;
const DAY_MS = 86_400_000;

/** Makes the changes of a plan, starting with those that remove access. @returns what could not be changed */
export async function applyPlan(
  clients: ClientPort,
  plan: MadePlan,
  settings: Settings,
  { nowMs, requestId }: { nowMs: number; requestId: string },
): Promise<Skipped> {
  const { inboundIds } = plan;
  const { ldapDefaultTotalGB, ldapDefaultExpiryDays, ldapDefaultLimitIP } = settings;
  const skipped: Skipped = [];
  const note = (errors: readonly string[]) => skipped.push(...errors.map((reason) => ({ email: '', reason })));
  if (plan.disable.length > 0) skipped.push(...(await clients.bulkSwitch(plan.disable, false, requestId)).skipped);
  if (plan.detach.length > 0) note((await clients.bulkDetach(plan.detach, inboundIds, requestId)).errors);
  if (plan.enable.length > 0) skipped.push(...(await clients.bulkSwitch(plan.enable, true, requestId)).skipped);
  if (plan.attach.length > 0) note((await clients.bulkAttach(plan.attach, inboundIds, requestId)).errors);
  if (plan.create.length > 0) {
    const items = plan.create.map((email) => ({
      client: {
        email,
        totalGB: ldapDefaultTotalGB * GIB,
        expiryTime: ldapDefaultExpiryDays === 0 ? 0 : nowMs + ldapDefaultExpiryDays * DAY_MS,
        limitIp: ldapDefaultLimitIP,
      },
      inboundIds,
    }));
    skipped.push(...(await clients.bulkCreate(items, requestId)).skipped);
  }
  return skipped;
}
