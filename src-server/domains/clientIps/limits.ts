import type { Logger } from '../../contract/logger.ts';
import type { OnlineUser } from '../../core/core.ts';
import type { AddressBlock } from '../../core/sessions/address-blocks.ts';
import { beyondLimit, BLOCK_MS, IN_USE_MS, type LiveAddress } from './limit-rules.ts';
import type { Sightings } from './sightings.ts';

interface Block extends AddressBlock {
  untilMs: number;
  /** Newest connection from there when it was blocked. */
  atMs: number;
}

export interface IpLimitDeps {
  sightings: Sightings;
  /** Limits by client, for clients that have one and may connect. */
  limitsOf: (emails: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  /** Addresses recently seen elsewhere, by e-mail as the core spells it. */
  elsewhere: (emails: readonly string[]) => Promise<ReadonlyMap<string, readonly { ip: string; seenAtSec: number }[]>>;
  /** Whether an address is on the allow-list: never counted, never blocked. */
  isAllowed: (ip: string) => boolean;
  /** Called when an address is newly refused. */
  onBlocked: (facts: { email: string; address: string; limit: number }) => void;
  log: Logger;
}

/**
 * Decides which addresses each client may use. The newest addresses stay; an older one is blocked as long as the newer
 * ones are in use, half an hour at most.
 */
export function createIpLimits(deps: IpLimitDeps) {
  const { sightings, limitsOf, elsewhere, isAllowed, onBlocked, log } = deps;
  const blocks = new Map<string, Block>();
  /** Time of the newest connection of an address when its block ended: a dead connection does not block it again. */
  const dealtWith = new Map<string, number>();
  const keyOf = ({ email, address }: AddressBlock): string => `${address} ${email}`;

  function lift(block: Block): void {
    const key = keyOf(block);
    blocks.delete(key);
    dealtWith.set(key, block.atMs);
    if (dealtWith.size > 10_000) dealtWith.delete(dealtWith.keys().next().value!);
  }

  /** Lifts blocks that have expired, or that a free slot makes unnecessary. */
  function liftDue(
    limits: ReadonlyMap<string, number>,
    nowMs: number,
    usedElsewhere: (email: string) => string[],
  ): void {
    for (const block of blocks.values()) {
      const limit = limits.get(block.email) ?? 0;
      const isFree = (): boolean => {
        const inUse = new Set([
          ...sightings.of(block.email, nowMs, IN_USE_MS).map(({ ip }) => ip),
          ...usedElsewhere(block.email),
        ]);
        const counted = [...inUse].filter(
          (ip) => !isAllowed(ip) && !blocks.has(keyOf({ email: block.email, address: ip })),
        );
        return counted.length < limit;
      };
      const isOver = nowMs >= block.untilMs || block.untilMs - nowMs > BLOCK_MS;
      if (isOver || limit === 0 || isAllowed(block.address) || isFree()) lift(block);
    }
  }

  return {
    /** Looks once at who is connected. @returns every block that is to be in force now. */
    async judge(online: readonly OnlineUser[], nowMs: number): Promise<AddressBlock[]> {
      const byEmail = new Map(online.map((user) => [user.email, user]));
      const blocked = new Set([...blocks.values()].map(({ email }) => email));
      const emails = [...new Set([...byEmail.keys(), ...blocked])];
      const others = await elsewhere(emails);
      const candidates = emails.filter((email) => {
        const places = new Set([
          ...(byEmail.get(email)?.ips ?? []).map(({ ip }) => ip),
          ...(others.get(email) ?? []).map(({ ip }) => ip),
        ]);
        return places.size > 1 || blocked.has(email);
      });
      if (candidates.length === 0) return [];
      const limits = await limitsOf(candidates);
      liftDue(limits, nowMs, (email) => (others.get(email) ?? []).map(({ ip }) => ip));
      for (const email of candidates) {
        const limit = limits.get(email);
        if (limit === undefined) continue;
        const live = new Map<string, LiveAddress>();
        for (const { ip, seenAtSec } of others.get(email) ?? [])
          live.set(ip, { ip, atMs: seenAtSec * 1000, isHere: false });
        for (const { ip, lastSeenMs } of byEmail.get(email)?.ips ?? [])
          live.set(ip, { ip, atMs: Math.max(lastSeenMs, live.get(ip)?.atMs ?? 0), isHere: true });
        const counted = [...live.values()].filter(({ ip, atMs }) => {
          const key = keyOf({ email, address: ip });
          return !isAllowed(ip) && !blocks.has(key) && (dealtWith.get(key) ?? -Infinity) < atMs;
        });
        for (const ip of beyondLimit(counted, limit)) {
          const block = { email, address: ip, untilMs: nowMs + BLOCK_MS, atMs: live.get(ip)!.atMs };
          blocks.set(keyOf(block), block);
          log.info('clientIps.overLimit', { email, address: ip, limit });
          onBlocked({ email, address: ip, limit });
        }
      }
      return [...blocks.values()].map(({ email, address }) => ({ email, address }));
    },
    /** Lifts all blocks of a client. */
    forget(email: string): void {
      for (const block of blocks.values()) if (block.email === email) blocks.delete(keyOf(block));
    },
    count: (): number => blocks.size,
  };
}
