import { randomUUID, type X509Certificate } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { Basics } from '../../basics.ts';
import type { DomainError as Failure } from '../../../contract/domain-error.ts';
import { DomainError } from '../../../contract/domain-error.ts';
import { Introduction, TRUNK_REQUEST, type NodeCertificate } from '../../../net/trunk/messages.ts';
import { openMasterEnd, type MasterEnd } from '../../../net/trunk/trunk-ends.ts';
import { nodeHostName, peerOf, secureAsMaster } from '../../../net/trunk/trunk-tls.ts';
import type { Store } from '../../../store/open-store.ts';
import type { MutualTls } from '../trust/mutual-tls.ts';
import { createAttempts, type Applicant } from './attempts.ts';
import { createIntroductions, type EnrolledNode } from './introduction.ts';
import * as rows from './repository.ts';
import { createTickets } from './tickets.ts';

const CONVERSATION_MS = 20_000;

export interface EnrolmentDeps extends Pick<Basics, 'clock' | 'publish' | 'log'> {
  store: Pick<Store, 'reader' | 'write'>;
  mutualTls: Pick<MutualTls, 'trunkIdentity' | 'issueNode'>;
  /** Checks that a panel may be a node. @throws {DomainError} why not */
  requirePlace: (candidate: { id: number; guid: string; below: string[] | null }) => Promise<void>;
  /** Saves the node, new or replacing a row, and runs `also` in the same transaction. @returns its id */
  saveNode: (
    node: EnrolledNode,
    also: (trx: Parameters<Parameters<Store['write']>[0]>[0], id: number) => Promise<void>,
  ) => Promise<number>;
  /** Sends this panel's address to every enrolled node. */
  tellAddress: (url: string) => Promise<{ told: number[]; waiting: number[] }>;
  textOf: (error: Failure) => string;
  /** Address of the installer for bare hosts; empty = not known. */
  installer: string;
}

/** Tickets with which hosts become nodes of this panel. */
export function createEnrolments(deps: EnrolmentDeps) {
  const { store, mutualTls, log } = deps;
  const attempts = createAttempts(deps);
  const { required, closedBecause, ...tickets } = createTickets({ ...deps, attempts });
  const { judged, detailsOf } = createIntroductions({ ...deps, closedBecause });
  /** Tickets that a host is enrolling with right now. */
  const busy = new Set<string>();
  const closing = new AbortController();

  async function converse(
    row: rows.EnrolmentRow,
    end: MasterEnd,
    hostKey: X509Certificate,
    applicant: Applicant,
  ): Promise<void> {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(CONVERSATION_MS)]);
    const introduction = Introduction.parse(await end.request(TRUNK_REQUEST.introduce, {}, signal));
    try {
      await judged(row, introduction);
      const trunkId = randomUUID();
      const { authority } = await mutualTls.trunkIdentity();
      const certificate = await mutualTls.issueNode(hostKey.publicKey, nodeHostName(trunkId));
      const given: NodeCertificate = { trunkId, masterName: new URL(row.url).host, authority, certificate };
      await end.request(TRUNK_REQUEST.certificate, given, signal);
      const node = await detailsOf(row, introduction, applicant.address, trunkId);
      const id = await deps.saveNode(node, async (trx, nodeId) => {
        if (!(await rows.endEnrolment(trx, row.id, { state: 'used', nodeId }))) throw new DomainError('enrolment.used');
      });
      log.info('node.enrolled', { nodeId: id, name: node.name, address: applicant.address });
      attempts.note(row.id, applicant, null);
      // The node connects whether or not this message arrives.
      await end.request(TRUNK_REQUEST.done, { name: node.name }, signal).catch(() => null);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      await end.request(TRUNK_REQUEST.refused, { text: deps.textOf(error) }, signal).catch(() => null);
      throw error;
    }
  }

  return {
    ...tickets,
    /** @param url this panel's address for hosts from now on */
    moved: (url: string) => deps.tellAddress(url),
    /** Early check of a host that has proven nothing yet. @returns why it is rejected; null = it may go on */
    async refusal(id: string, applicant: Applicant): Promise<DomainError | null> {
      const row = await rows.findEnrolment(store.reader, id);
      if (row === null) return new DomainError('enrolment.unknown');
      const closed = closedBecause(row) ?? (busy.has(id) ? new DomainError('enrolment.busy') : null);
      // An open ticket notes nothing before its secret is shown; a used one keeps its result.
      if (closed !== null && row.state === 'open') attempts.note(id, applicant, closed);
      return closed;
    },
    /** Handles the whole conversation with a host that has connected with a ticket. */
    async admit(id: string, stream: Duplex, applicant: Applicant): Promise<void> {
      if (busy.has(id)) {
        stream.destroy();
        return;
      }
      busy.add(id);
      let end: MasterEnd | null = null;
      try {
        const row = await required(id);
        const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(CONVERSATION_MS)]);
        const socket = await secureAsMaster(stream, await mutualTls.trunkIdentity(), null, signal);
        const peer = peerOf(socket);
        end = openMasterEnd(socket);
        if (peer !== null) await converse(row, end, peer.certificate, applicant);
      } catch (error) {
        const failure = error instanceof DomainError ? error : new DomainError('enrolment.ended');
        attempts.note(id, applicant, failure);
        log.warn('node.notEnrolled', { address: applicant.address, code: failure.code, error });
      } finally {
        busy.delete(id);
        end?.close();
        stream.destroy();
      }
    },
    close: () => closing.abort(),
  };
}
export type Enrolments = ReturnType<typeof createEnrolments>;
