import type { OnlineUser } from '../core.ts';
import { createBreather } from './loop-breather.ts';
import { WireReader } from './wire-reader.ts';

const USER = 1 * 8 + 2;
const EMAIL = 1 * 8 + 2;
const IPS = 2 * 8 + 2;
const IP = 1 * 8 + 2;
const LAST_SEEN = 2 * 8 + 0;
const STEPS_PER_CLOCK = 128;

/**
 * Reads an encoded GetUsersStatsResponse, giving way to the event loop in between.
 * @throws {RangeError} when the bytes are no such message
 */
export async function parseOnlineUsers(bytes: Buffer): Promise<OnlineUser[]> {
  const users: OnlineUser[] = [];
  const message = new WireReader(bytes);
  const breather = createBreather();
  let steps = 0;
  for (let tag = message.tag(); tag !== 0; tag = message.tag()) {
    if (tag === USER) {
      message.span();
      const user = readUser(bytes, message.start, message.end);
      if (user.email !== '') users.push(user);
    } else {
      message.skip(tag);
    }
    steps += 1;
    if (steps % STEPS_PER_CLOCK === 0 && breather.isDue()) await breather.pause();
  }
  return users;
}

function readUser(bytes: Buffer, start: number, end: number): OnlineUser {
  const user: OnlineUser = { email: '', ips: [] };
  const reader = new WireReader(bytes, start, end);
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === EMAIL) {
      reader.span();
      user.email = bytes.toString('utf8', reader.start, reader.end);
    } else if (tag === IPS) {
      reader.span();
      user.ips.push(readIp(bytes, reader.start, reader.end));
    } else {
      reader.skip(tag);
    }
  }
  return user;
}

function readIp(bytes: Buffer, start: number, end: number): OnlineUser['ips'][number] {
  const entry = { ip: '', lastSeenMs: 0 };
  const reader = new WireReader(bytes, start, end);
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === IP) {
      reader.span();
      // IPv6 addresses arrive in brackets.
      entry.ip = bytes.toString('utf8', reader.start, reader.end).replace(/^\[(.*)\]$/, '$1');
    } else if (tag === LAST_SEEN) {
      entry.lastSeenMs = reader.varint() * 1000;
    } else {
      reader.skip(tag);
    }
  }
  return entry;
}
