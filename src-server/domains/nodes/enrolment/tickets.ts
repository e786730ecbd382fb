import { X509Certificate } from 'node:crypto';
import type { Basics } from '../../basics.ts';
import { DomainError } from '../../../contract/domain-error.ts';
import { keyPin, newTicketSecrets, secretHash, writeTicket } from '../../../net/trunk/ticket.ts';
import type { Store } from '../../../store/open-store.ts';
import { findNode, isNameTaken } from '../repository.ts';
import type { MutualTls } from '../trust/mutual-tls.ts';
import type { Attempts } from './attempts.ts';
import type { Enrolment } from './contract.ts';
import * as rows from './repository.ts';

const VALID_MS = 30 * 60_000;

interface TicketDeps extends Pick<Basics, 'clock' | 'publish'> {
  store: Pick<Store, 'reader' | 'write'>;
  mutualTls: Pick<MutualTls, 'trunkIdentity'>;
  /** Address of the installer for bare hosts; empty = not known. */
  installer: string;
  attempts: Pick<Attempts, 'last'>;
}

/** The operator's side: tickets are created, shown and cancelled. A ticket is valid for 30 minutes. */
export function createTickets({ store, mutualTls, clock, publish, installer, attempts }: TicketDeps) {
  function present(row: rows.EnrolmentRow): Enrolment {
    const isLate = row.state === 'open' && row.expiresAtMs <= clock();
    return {
      id: row.id,
      name: row.name,
      url: row.url,
      state: isLate ? 'expired' : row.state,
      createdAt: row.createdAtMs,
      expiresAt: row.expiresAtMs,
      nodeId: row.nodeId ?? 0,
      attempt: attempts.last(row.id),
    };
  }

  /** @throws {DomainError} `enrolment.unknown` */
  async function required(id: string): Promise<rows.EnrolmentRow> {
    const row = await rows.findEnrolment(store.reader, id);
    if (row === null) throw new DomainError('enrolment.unknown');
    return row;
  }

  /** Why this ticket cannot be used now; null = it can. */
  function closedBecause(row: rows.EnrolmentRow): DomainError | null {
    const { state } = present(row);
    if (state === 'used') return new DomainError('enrolment.used');
    if (state === 'cancelled') return new DomainError('enrolment.cancelled');
    return state === 'expired' ? new DomainError('enrolment.expired') : null;
  }

  return {
    required,
    closedBecause,
    /**
     * @param request `url` is this panel's address for hosts
     * @throws {DomainError} `node.nameTaken`, `node.missing`
     */
    async create(request: { name: string; nodeId: number; url: string }) {
      const { name, nodeId, url } = request;
      if (nodeId === 0 && name !== '' && (await isNameTaken(store.reader, name)))
        throw new DomainError('node.nameTaken', {}, { field: 'name' });
      const node = nodeId === 0 ? null : await findNode(store.reader, nodeId);
      if (nodeId !== 0 && node === null) throw new DomainError('node.missing');
      const { authority } = await mutualTls.trunkIdentity();
      const { id, secret } = newTicketSecrets();
      const nowMs = clock();
      const row: rows.EnrolmentRow = {
        id,
        secretHash: secretHash(secret),
        name: node?.name ?? name,
        nodeId: node?.id ?? null,
        url,
        state: 'open',
        createdAtMs: nowMs,
        expiresAtMs: nowMs + VALID_MS,
      };
      await store.write((trx) => rows.insertEnrolment(trx, row));
      const ticket = writeTicket({ url, authority: keyPin(new X509Certificate(authority).publicKey), id, secret });
      return { enrolment: present(row), ticket, installer };
    },
    /** Those that a host can still enrol with. */
    list: async (): Promise<Enrolment[]> => (await rows.openEnrolments(store.reader, clock())).map(present),
    /** @throws {DomainError} `enrolment.unknown` */
    get: async (id: string): Promise<Enrolment> => present(await required(id)),
    /** @throws {DomainError} `enrolment.unknown` */
    async cancel(id: string): Promise<void> {
      await required(id);
      await store.write((trx) => rows.endEnrolment(trx, id, { state: 'cancelled' }));
      publish({ type: 'invalidate', resource: 'nodes' });
    },
  };
}
export type Tickets = ReturnType<typeof createTickets>;
