import { setTimeout as sleep } from 'node:timers/promises';
import { isApiError } from '../api/api-error.ts';
import type { CoreApi } from '../api/core-api.ts';
import type { InboundHandlerConfig, OutboundHandlerConfig } from '../api/generated/core/config_pb.ts';
import type { JsonObject } from '../config/source.ts';
import type { Compile, Compiled } from './convert.ts';
import type { LiveChange } from './diff.ts';
import type { Snapshot } from './snapshot.ts';
import type { UserFailure } from './user-operations.ts';
import { clearSockets, socketInUse } from '../process/listen-sockets.ts';
import { textOf, withFirstUser } from './inbound-parts.ts';
import { changeUsers } from './user-operations.ts';

const PORT_RETRIES = 3;
const PORT_RETRY_MS = 100;

/** What remains to be done after a change was otherwise made. */
export interface PartialFailures {
  users: UserFailure[];
  /** These are not running now. */
  inbounds: { tag: string; text: string }[];
}

/** Compiles everything a change needs in one go, so that a bad fragment changes nothing. @throws {CompileError} */
export async function compileChange(compile: Compile, change: LiveChange): Promise<Compiled> {
  const { addInbounds: inbounds, addOutbounds: outbounds, routing } = change;
  if (inbounds.length === 0 && outbounds.length === 0 && routing === null)
    return { inbounds: [], outbounds: [], router: undefined };
  return compile({ inbounds, outbounds, ...(routing === null ? {} : { routing }) });
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
  compiled: Compiled,
  compile: Compile,
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
  for (const tag of change.removeInbounds) await api.removeInbound(tag);
  for (const tag of change.removeOutbounds) await api.removeOutbound(tag);
  for (const outbound of compiled.outbounds) await addOutbound(api, outbound);
  const held = await clearSockets(change.addInbounds);
  for (const inbound of held) failures.inbounds.push({ tag: textOf(inbound.tag), text: socketInUse(inbound) });
  for (const inbound of compiled.inbounds) {
    if (held.some(({ tag }) => tag === inbound.tag)) continue;
    try {
      await addInbound(api, inbound);
    } catch (error) {
      const reason = isApiError(error, 'tooLarge')
        ? await whyNotListening(api, compile, change.addInbounds, inbound.tag)
        : error;
      // Only a new process can run one that is too large; where it could not listen either, a restart gains nothing.
      if (!isApiError(reason, 'cannotListen')) throw error;
      failures.inbounds.push({ tag: inbound.tag, text: reason.message });
    }
  }
  await usersOf('add');
  if (change.routing !== null && compiled.router) await api.replaceRouting(compiled.router);
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

/** Why an inbound cannot listen, tried with one of its users; null when it can. */
async function whyNotListening(
  api: CoreApi,
  compile: Compile,
  inbounds: readonly JsonObject[],
  wanted: string,
): Promise<unknown> {
  const { inbounds: compiled } = await compile({
    inbounds: inbounds.filter(({ tag }) => tag === wanted).map(withFirstUser),
  });
  try {
    for (const inbound of compiled) await addInbound(api, inbound);
  } catch (error) {
    return error;
  }
  await api.removeInbound(wanted);
  return null;
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
