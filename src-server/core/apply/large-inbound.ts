import { create, toBinary } from '@bufbuild/protobuf';
import { CoreApiError } from '../api/api-error.ts';
import { MAX_MESSAGE_BYTES } from '../api/channel.ts';
import type { CoreApi } from '../api/core-api.ts';
import { AddInboundRequestSchema } from '../api/generated/app/proxyman/command/command_pb.ts';
import type { InboundHandlerConfig } from '../api/generated/core/config_pb.ts';
import type { JsonObject } from '../config/source.ts';
import type { Compile } from './convert.ts';
import { type InboundParts, partsOf, withUsers } from './compare/inbound-parts.ts';
import { addUsers } from './user-operations.ts';
import { hasReverse } from './compare/user-table.ts';

/** Users that did not fit in the message of their inbound. */
export interface LaterUsers {
  inbound: InboundParts;
  users: readonly JsonObject[];
}

/** About ten seconds; with more, clients would wait much longer for their inbound than for a restart. */
const MAX_LATER_USERS = 100_000;
/** Part of what would fit by the average: the first users may be larger, and another compilation takes as long. */
const SAFE_SHARE = 0.95;

/**
 * The inbound with as many of its users as fit in one message, and the others; null when all of them fit, or when it
 * has no users of its own.
 */
export async function splitInbound(
  compile: Compile,
  whole: JsonObject,
  compiled: InboundHandlerConfig,
): Promise<{ first: InboundHandlerConfig; later: LaterUsers } | null> {
  const inbound = partsOf(whole);
  let first = compiled;
  let count = inbound.users.length;
  for (let bytes = messageBytes(first); bytes > MAX_MESSAGE_BYTES; bytes = messageBytes(first)) {
    if (count === 0) return null;
    count = Math.floor((count * MAX_MESSAGE_BYTES * SAFE_SHARE) / bytes);
    const [part] = (await compile({ inbounds: [withUsers(inbound, inbound.users.slice(0, count))] })).inbounds;
    if (part === undefined) return null;
    first = part;
  }
  const users = inbound.users.slice(count);
  return users.length === 0 ? null : { first, later: { inbound, users } };
}

/**
 * Adds the other users to an inbound that was just added with its first ones.
 * @throws {CoreApiError} when any of them cannot be added; the inbound is removed then. `tooLarge` if only a new process
 *   can run it with all of them
 */
export async function addLaterUsers(
  api: CoreApi,
  { inbound, users }: LaterUsers,
  isClosing: () => boolean,
): Promise<void> {
  try {
    if (!canFollow(inbound, users))
      throw new CoreApiError('tooLarge', `${inbound.tag} is too large for a message to the core`);
    await addUsers(api, inbound, users, isClosing);
  } catch (error) {
    await api.removeInbound(inbound.tag).catch(() => undefined);
    throw error;
  }
}

function canFollow({ kind }: InboundParts, users: readonly JsonObject[]): boolean {
  // For each added user of a 2022 cipher the core builds its table again: 30 ms with 50,000 of them.
  return kind !== 'shadowsocks2022' && users.length <= MAX_LATER_USERS && !users.some(hasReverse);
}

const messageBytes = (inbound: InboundHandlerConfig): number =>
  toBinary(AddInboundRequestSchema, create(AddInboundRequestSchema, { inbound })).length;
