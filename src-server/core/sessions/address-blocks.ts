import { createHash } from 'node:crypto';
import { isApiError } from '../api/api-error.ts';
import type { Compile } from '../apply/convert.ts';
import type { JsonObject } from '../config/source.ts';
import type { Lifecycle } from '../process/lifecycle/lifecycle.ts';
import type { Session } from '../process/session.ts';

/** A client and an address it may not be used from. Other clients at that address are not affected. */
export interface AddressBlock {
  email: string;
  /** IPv4 or IPv6 without brackets. */
  address: string;
}

/** Where blocked connections go: our own outbound that never responds, so that no template needs to have one. */
export const BLOCK_OUTBOUND = 'panel-ip-limit';
const RULE_PREFIX = 'panel-ip-limit-';

/**
 * Keeps rules in the running core that refuse new connections of a client from an address. They are appended, which
 * changes no other rule and leaves no moment without rules; an earlier matching rule of the template wins. They live
 * only in the process: after a restart or a change of the routing the next call adds them again.
 */
export function createAddressBlocks({ lifecycle, compile }: { lifecycle: Lifecycle; compile: Compile }) {
  let hasOutboundIn = '';

  async function install(session: Session, blocks: readonly AddressBlock[]): Promise<void> {
    const { api, bootId } = session.process;
    const wanted = new Map(blocks.map((block) => [ruleTagOf(block), block]));
    const present = (await api.ruleTags()).filter((tag) => tag.startsWith(RULE_PREFIX));
    for (const tag of present) if (!wanted.has(tag)) await api.removeRule(tag);
    for (const tag of present) wanted.delete(tag);
    if (wanted.size === 0) return;
    const compiled = await compile({
      outbounds: [{ tag: BLOCK_OUTBOUND, protocol: 'blackhole', settings: {} }],
      routing: { rules: [...wanted].map(([ruleTag, block]) => ruleOf(ruleTag, block)) },
    });
    if (hasOutboundIn !== bootId) {
      for (const outbound of compiled.outbounds) await api.addOutbound(outbound).catch(ignoreExisting);
      hasOutboundIn = bootId;
    }
    if (compiled.router) await api.appendRules(compiled.router);
  }

  /**
   * Makes exactly these blocks take effect.
   * @returns false when the core does not run.
   * @throws {CoreApiError} when it refuses them
   */
  return (blocks: readonly AddressBlock[]): Promise<boolean> =>
    lifecycle.inLine(async () => {
      const { session } = lifecycle;
      if (session === null) return false;
      await install(session, blocks);
      return true;
    });
}

function ruleTagOf({ email, address }: AddressBlock): string {
  return RULE_PREFIX + createHash('sha256').update(`${address} ${email}`).digest('hex').slice(0, 24);
}

function ruleOf(ruleTag: string, { email, address }: AddressBlock): JsonObject {
  // The core treats a user that begins with `regexp:` as a pattern, so such a name is written as an escaped pattern.
  const user = email.startsWith('regexp:') ? `regexp:^${email.replace(/[^A-Za-z0-9]/gu, '\\$&')}$` : email;
  return { type: 'field', ruleTag, user: [user], source: [address], outboundTag: BLOCK_OUTBOUND };
}

function ignoreExisting(error: unknown): void {
  if (!isApiError(error, 'tagExists')) throw error;
}
