import { setTimeout as sleep } from 'node:timers/promises';
import { isApiError } from '../api/api-error.ts';
import type { CoreApi } from '../api/core-api.ts';
import type { InboundHandlerConfig, OutboundHandlerConfig } from '../api/generated/core/config_pb.ts';
import type { Compile, Compiled } from './convert.ts';
import type { LiveChange } from './compare/diff.ts';
import { addLaterUsers, type LaterUsers, splitInbound } from './large-inbound.ts';
import type { Snapshot } from './compare/snapshot.ts';
import type { UserFailure } from './user-operations.ts';
import { clearSockets, socketInUse } from '../process/listen-places.ts';
import { textOf } from './compare/inbound-parts.ts';
import { changeUsers } from './user-operations.ts';

const PORT_RETRIES = 3;
const PORT_RETRY_MS = 100;

/** What remains to be done after a change was otherwise made. */
export interface PartialFailures {
  users: UserFailure[];
  /** These are not running now. */
  inbounds: { tag: string; text: string }[];
}

export interface CompiledChange extends Compiled {
  /** Of inbounds that are too large for one message. */
  laterUsers: LaterUsers[];
}

/** Compiles all that a change needs before it is made, so that a bad fragment changes nothing. @throws {CompileError} */
export async function compileChange(compile: Compile, change: LiveChange): Promise<CompiledChange> {
  const { addInbounds: inbounds, addOutbounds: outbounds, routing } = change;
  if (inbounds.length === 0 && outbounds.length === 0 && routing === null)
    return { inbounds: [], outbounds: [], router: undefined, laterUsers: [] };
  const compiled = await compile({ inbounds, outbounds, ...(routing === null ? {} : { routing }) });
  const laterUsers: LaterUsers[] = [];
  for (const [at, whole] of inbounds.entries()) {
    const split = await splitInbound(compile, whole, compiled.inbounds[at]!);
    if (split === null) continue;
    compiled.inbounds[at] = split.first;
    laterUsers.push(split.later);
  }
  return { ...compiled, laterUsers };
}

/**
 * Brings the running core to the new state: removals first, so that ports and tags are free, routing last, so that its
 * targets exist. The users of inbounds that stay are changed in `snapshot` as they change in the core.
 * @returns what failed although everything else was done: users, and inbounds that cannot listen
 * @throws {CoreApiError} when anything else failed: the core is then in an intermediate state and must be restarted
 */
export async function executeChange(
  api: CoreApi,
  snapshot: Snapshot,
  change: LiveChange,
  compiled: CompiledChange,
  isClosing: () => boolean,
): Promise<PartialFailures> {
  const failures: PartialFailures = { users: [], inbounds: [] };
  const usersOf = async (pick: 'remove' | 'add'): Promise<void> => {
    for (const { tag, remove, add } of change.users) {
      const inbound = snapshot.inbounds.get(tag);
      if (!inbound) continue;
      failures.users.push(
        ...(await changeUsers(api, inbound, pick === 'remove' ? { tag, remove, add: [] } : { tag, remove: [], add })),
      );
    }
  };
  await usersOf('remove');
  for (const tag of change.removeInbounds) {
    await api.removeInbound(tag);
    // Noted at once: whatever fails from here on, it does not run.
    snapshot.inbounds.delete(tag);
  }
  for (const tag of change.removeOutbounds) await api.removeOutbound(tag);
  for (const outbound of compiled.outbounds) await addOutbound(api, outbound);
  const held = await clearSockets(change.addInbounds);
  for (const inbound of held) failures.inbounds.push({ tag: textOf(inbound.tag), text: socketInUse(inbound) });
  for (const inbound of compiled.inbounds) {
    if (held.some(({ tag }) => tag === inbound.tag)) continue;
    try {
      await addInbound(api, inbound);
    } catch (error) {
      if (!isApiError(error, 'cannotListen')) throw error;
      failures.inbounds.push({ tag: inbound.tag, text: error.message });
    }
  }
  await usersOf('add');
  if (change.routing !== null && compiled.router) await api.replaceRouting(compiled.router);
  // Last, since it takes seconds: traffic is not to follow the old rules for so long.
  for (const later of compiled.laterUsers) {
    if (!failures.inbounds.some(({ tag }) => tag === later.inbound.tag)) await addLaterUsers(api, later, isClosing);
  }
  return failures;
}

/** Adds an inbound; waits a little for its port, which UDP listeners release late. @throws {CoreApiError} */
async function addInbound(api: CoreApi, inbound: InboundHandlerConfig): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await api.addInbound(inbound);
      return;
    } catch (error) {
      if (!isApiError(error, 'tagExists', 'cannotListen') || attempt >= PORT_RETRIES) {
        // A failed add leaves the tag behind.
        if (!isApiError(error, 'gone')) await api.removeInbound(inbound.tag).catch(() => undefined);
        throw error;
      }
      await api.removeInbound(inbound.tag);
      if (error.code === 'cannotListen') await sleep(PORT_RETRY_MS);
    }
  }
}

async function addOutbound(api: CoreApi, outbound: OutboundHandlerConfig): Promise<void> {
  try {
    await api.addOutbound(outbound);
  } catch (error) {
    if (!isApiError(error, 'tagExists')) throw error;
    await api.removeOutbound(outbound.tag);
    await api.addOutbound(outbound);
  }
}
