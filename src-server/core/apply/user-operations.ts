import type { AccountFrame, UserKind } from '../api/account.ts';
import { accountOf } from '../api/account.ts';
import { CoreApiError, isApiError } from '../api/api-error.ts';
import type { CoreApi } from '../api/core-api.ts';
import type { TypedMessage } from '../api/generated/common/serial/typed_message_pb.ts';
import type { JsonObject } from '../config/source.ts';
import { createTimeSlices } from '../../time-slices.ts';
import { inParallel } from '../../concurrency.ts';
import type { UserChange } from './compare/diff.ts';
import { type InboundParts, objectOf, textOf } from './compare/inbound-parts.ts';
import type { RunningInbound } from './compare/snapshot.ts';
import { emailOf } from './compare/user-table.ts';

/**
 * Calls under way at a time; more gains nothing. Their responses arrive together, so this is what one turn of the event
 * loop processes while others wait, and what is alive at once and so outlives the collection of young garbage.
 */
const WINDOW = 24;
/** Most copies of one user that are removed; more cannot come from us. */
const MAX_COPIES = 20;

/** Why one user could not be changed. */
export interface UserFailure {
  email: string;
  error: unknown;
}

/**
 * Changes the users of a running inbound and its table along with them. All removals come first, so that a credential
 * can move from one user to another. Users that fail are marked as unknown, so that the next comparison includes them.
 */
export async function changeUsers(api: CoreApi, inbound: RunningInbound, change: UserChange): Promise<UserFailure[]> {
  const failures: UserFailure[] = [];
  const { users, kind, tag } = inbound;
  const failed = (email: string) => (error: unknown) => {
    users.markUnknown(email);
    failures.push({ email, error });
  };
  // Checked before anything is removed: an entry that the core would refuse leaves the user as it is.
  const accounts = new Map<JsonObject, TypedMessage>();
  const frame = frameOf(inbound);
  const slices = createTimeSlices();
  for (const entry of change.add) {
    try {
      accounts.set(entry, accountOf(frame, entry));
    } catch (error) {
      failures.push({ email: emailOf(entry), error });
    }
    if (slices.isOver()) await slices.next();
  }
  await inParallel(change.remove, WINDOW, async (email) => {
    await removeEverywhere(api, kind, tag, email).then(() => users.delete(email), failed(email));
  });
  await inParallel(change.add, WINDOW, async (entry) => {
    const account = accounts.get(entry);
    const email = emailOf(entry);
    // Still there: its removal failed.
    if (!account || users.has(email)) return;
    await addOnce(api, kind, tag, email, account).then(() => users.set(entry), failed(email));
  });
  return failures;
}

/**
 * Adds users to an inbound that has none of them.
 * @throws {CoreApiError} at the first failure, and when the panel closes; no call is under way any more then
 */
export async function addUsers(
  api: CoreApi,
  inbound: InboundParts,
  users: readonly JsonObject[],
  isClosing: () => boolean,
): Promise<void> {
  const frame = frameOf(inbound);
  const failures: unknown[] = [];
  await inParallel(users, WINDOW, async (entry) => {
    // The whole is lost with the first failure; a core that hangs would be waited for again and again.
    if (failures.length > 0) return;
    try {
      if (isClosing()) throw new CoreApiError('gone', 'the panel is closing');
      await api.addUser(inbound.tag, emailOf(entry), accountOf(frame, entry));
    } catch (error) {
      failures.push(error);
    }
  });
  if (failures.length > 0) throw failures[0];
}

function frameOf(inbound: Pick<RunningInbound, 'frame'>): AccountFrame {
  return { protocol: textOf(inbound.frame.protocol), settings: objectOf(inbound.frame.settings) };
}

/**
 * Two protocols accept a second entry of the same e-mail and remove one at a time: removal is repeated until none is
 * left.
 */
async function removeEverywhere(api: CoreApi, kind: UserKind, tag: string, email: string): Promise<void> {
  let isLeft = await api.removeUser(tag, email);
  if (kind === 'hysteria') {
    // Always returns success, so the list has to tell.
    isLeft = await api.hasUser(tag, email);
    for (let copy = 0; copy < MAX_COPIES && isLeft; copy += 1) {
      await api.removeUser(tag, email);
      isLeft = await api.hasUser(tag, email);
    }
  } else if (kind === 'shadowsocks') {
    for (let copy = 0; copy < MAX_COPIES && isLeft; copy += 1) isLeft = await api.removeUser(tag, email);
  }
}

async function addOnce(api: CoreApi, kind: UserKind, tag: string, email: string, account: TypedMessage): Promise<void> {
  try {
    await api.addUser(tag, email, account);
  } catch (error) {
    if (!isApiError(error, 'userExists')) throw error;
    await removeEverywhere(api, kind, tag, email);
    await api.addUser(tag, email, account);
  }
}
