import { fromBinary } from '@bufbuild/protobuf';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { UserStatSchema } from '../api/generated/app/stats/command/command_pb.ts';
import type { OnlineUser } from '../core.ts';
import { createTimeSlices } from '../../time-slices.ts';

/** Number of the repeated field. */
const USER = 1;
const STEPS_PER_CLOCK = 32;

/**
 * Reads an encoded GetUsersStatsResponse user by user, yielding to the event loop in between.
 * @throws {Error} when the bytes are not such a message
 */
export async function parseOnlineUsers(bytes: Buffer): Promise<OnlineUser[]> {
  const users: OnlineUser[] = [];
  const reader = new BinaryReader(bytes);
  const slices = createTimeSlices();
  for (let step = 1; reader.pos < reader.len; step += 1) {
    const [field, type] = reader.tag();
    if (field === USER) {
      const { email, ips } = fromBinary(UserStatSchema, reader.bytes());
      // IPv6 addresses arrive in brackets.
      const addresses = ips.map(({ ip, lastSeen }) => ({
        ip: ip.replace(/^\[(.*)\]$/, '$1'),
        lastSeenMs: Number(lastSeen) * 1000,
      }));
      if (email !== '') users.push({ email, ips: addresses });
    } else {
      reader.skip(type, field);
    }
    if (step % STEPS_PER_CLOCK === 0 && slices.isOver()) await slices.next();
  }
  return users;
}
