import type { Core } from '../../../core/core.ts';
import type { Runtime } from '../../../runtime/runtime.ts';
import { runsHere, type ServingPlace } from '../../../runtime/serving-place.ts';
import type { WriteTransaction } from '../../../store/open-store.ts';
import { resetAll, type OnReset } from '../counter-port.ts';
import { usersOf } from '../counting/repository-bookkeeping.ts';
import { nextMonthDays, panelZone } from './month-day.ts';
import {
  clientsToDisable,
  clientsToRenew,
  disableClients,
  disableInbounds,
  endedClients,
  mayBeConnected,
  renew,
  type EndedClient,
} from './repository-enforcement.ts';

/** Clients per transaction: 50,000 expiring within the same hour must not block other writes. */
const CLIENTS_PER_WRITE = 500;

export interface StepDeps {
  core: Pick<Core, 'status'>;
  runtime: Pick<Runtime, 'stage'>;
  settings: { current(): { restartCoreOnClientDisable: boolean; timeLocation: string } };
  onReset?: OnReset | undefined;
  coreSource: string;
  place: ServingPlace;
}

/** Clients by the inbound they are on. */
export type Users = { inboundId: number; emails: string[] }[];

/** Result of one transaction of the loop. */
export interface Step {
  renewed: number;
  disabled: number;
  ended: EndedClient[];
  inboundIds: number[];
  users: Users;
  /** Disabled clients on inbounds of this core whose connections outlive the removal of their user. */
  offUsers: Users;
  /** Whether a disabled client may still have a connection that outlives the removal of its user. */
  mayLeaveConnections: boolean;
  isComplete: boolean;
}

/**
 * One transaction of the loop: renews a batch of clients; after the last renewal disables a batch, and after the last of
 * those the inbounds that are due.
 */
export async function enforceStep(deps: StepDeps, trx: WriteTransaction, nowMs: number): Promise<Step> {
  const renewedIds = await clientsToRenew(trx, nowMs, CLIENTS_PER_WRITE);
  const renewed = JSON.stringify(renewedIds);
  if (renewedIds.length > 0) {
    await resetAll(trx, renewed, nowMs);
    await deps.onReset?.(trx, renewed, 'renewal');
    await renew(trx, renewed, nextMonthDays(nowMs, panelZone(deps.settings.current())), nowMs);
  }
  // All renewals run before any client is disabled, or a client of the next batch would lose its connection.
  const isRenewed = renewedIds.length < CLIENTS_PER_WRITE;
  const disabledIds = isRenewed ? await clientsToDisable(trx, nowMs, CLIENTS_PER_WRITE) : [];
  const disabled = JSON.stringify(disabledIds);
  if (disabledIds.length > 0) await disableClients(trx, disabled, nowMs);
  const isComplete = isRenewed && disabledIds.length < CLIENTS_PER_WRITE;
  const inboundIds = isComplete ? await disableInbounds(trx, nowMs) : [];

  const cutUsers = disabledIds.length > 0 ? await usersOf(trx, disabled) : [];
  const backUsers = renewedIds.length > 0 ? await usersOf(trx, renewed) : [];
  const users = [...cutUsers, ...backUsers].map(({ inboundId, emails }) => ({ inboundId, emails }));
  // Nodes and other servers take the further steps themselves.
  const isFurther = deps.settings.current().restartCoreOnClientDisable;
  const isHere = ({ isLocal, serverId }: (typeof cutUsers)[number]): boolean =>
    isLocal && runsHere(deps.place, serverId);
  const elsewhere = isFurther ? cutUsers.filter((users) => !isHere(users)) : [];
  const endSessions = elsewhere.length > 0 ? { endSessions: { how: 'asNeeded', users: elsewhere } as const } : {};
  if (users.length + inboundIds.length > 0) await deps.runtime.stage(trx, { users, inboundIds, ...endSessions });
  // The core drops wireguard peers at once; every other protocol keeps open connections.
  const offUsers = cutUsers.filter((users) => isHere(users) && users.protocol !== 'wireguard');
  const { startedAtMs } = deps.core.status();
  return {
    renewed: renewedIds.length,
    disabled: disabledIds.length,
    ended: disabledIds.length > 0 ? await endedClients(trx, disabled) : [],
    inboundIds,
    users,
    offUsers,
    mayLeaveConnections:
      offUsers.length > 0 &&
      startedAtMs !== null &&
      (await mayBeConnected(trx, deps.coreSource, disabled, startedAtMs)),
    isComplete,
  };
}
