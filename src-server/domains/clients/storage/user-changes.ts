import type { Change } from '../../../runtime/runtime.ts';

/** Changes of a verb: users per inbound for the core, client ids for the list's summary. */
export class UserChanges {
  private readonly byInbound = new Map<number, Set<string>>();
  private readonly ids = new Set<number>();
  private readonly offByInbound = new Map<number, Set<string>>();

  add(inboundId: number, ...emails: readonly string[]): void {
    const set = this.byInbound.get(inboundId) ?? new Set();
    for (const email of emails) set.add(email);
    this.byInbound.set(inboundId, set);
  }

  touch(clientIds: Iterable<number>): void {
    for (const id of clientIds) this.ids.add(id);
  }

  merge(other: UserChanges): void {
    for (const [inboundId, emails] of other.byInbound) this.add(inboundId, ...emails);
    for (const id of other.ids) this.ids.add(id);
    for (const [inboundId, emails] of other.offByInbound) for (const email of emails) this.off(inboundId, email);
  }

  /** The client's credentials on this inbound no longer work; sessions may be open under them. */
  off(inboundId: number, email: string): void {
    this.offByInbound.set(inboundId, (this.offByInbound.get(inboundId) ?? new Set()).add(email));
  }

  /** Clients that may have sessions open under credentials that no longer work, by inbound. */
  get leavesSessions(): { inboundId: number; emails: readonly string[] }[] {
    return [...this.offByInbound].map(([inboundId, emails]) => ({ inboundId, emails: [...emails] }));
  }

  get clientIds(): readonly number[] {
    return [...this.ids];
  }

  /** E-mails whose entry may differ on this inbound. */
  emailsOf(inboundId: number): string[] {
    return [...(this.byInbound.get(inboundId) ?? [])];
  }

  /** For the runtime; null when no user of any inbound is affected. */
  get change(): Change | null {
    if (this.byInbound.size === 0) return null;
    return { users: [...this.byInbound].map(([inboundId, emails]) => ({ inboundId, emails: [...emails] })) };
  }
}
