import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { Basics } from '../../basics.ts';
import type { DomainError as Failure } from '../../../contract/domain-error.ts';
import { DomainError } from '../../../contract/domain-error.ts';
import { classifyAddress } from '../../../net/address-class.ts';
import { Introduction, QUESTION, type NodeCertificate } from '../../../net/trunk/messages.ts';
import { isSecret, keyPin, newTicketSecrets, secretHash, writeTicket } from '../../../net/trunk/ticket.ts';
import { openMasterEnd, type MasterEnd } from '../../../net/trunk/trunk-ends.ts';
import { nodeHostName, peerOf, secureAsMaster } from '../../../net/trunk/trunk-tls.ts';
import type { Store } from '../../../store/open-store.ts';
import type { NewNode } from '../management.ts';
import { findNode, isNameTaken } from '../repository.ts';
import { refusalOf } from '../sync/refusal.ts';
import type { NodeRow } from '../stored-types.ts';
import type { MutualTls } from '../trust/mutual-tls.ts';
import type { Enrolment } from './contract.ts';
import * as rows from './repository.ts';
import { X509Certificate } from 'node:crypto';

const VALID_MS = 30 * 60_000;
const CONVERSATION_MS = 20_000;
/** A larger clock difference breaks certificates, one-time codes and some client protocols. */
const CLOCK_TOLERANCE_MS = 60_000;

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

/** Fields of an enrolled node to save. @see NewNode */
export interface EnrolledNode extends Required<Pick<NewNode, 'name' | 'scheme' | 'address' | 'port' | 'basePath'>> {
  /** 0 = a new one. */
  id: number;
  isPrivate: boolean;
  trunkId: string;
}

/** A host that connects with a ticket. */
export interface Comer {
  address: string;
  /** Its clock in ms; null = not reported. */
  dateMs: number | null;
}

/** Tickets with which hosts become nodes of this panel. */
export function createEnrolments(deps: EnrolmentDeps) {
  const { store, mutualTls, clock, log } = deps;
  /** In memory: the reason of a rejection matters only while the page is open. */
  const attempts = new Map<string, NonNullable<Enrolment['attempt']>>();
  /** Tickets that a host is enrolling with right now. */
  const busy = new Set<string>();
  const closing = new AbortController();

  function present(row: rows.EnrolmentRow): Enrolment {
    const isLate = row.state === 'open' && row.expiresAtMs <= clock();
    return {
      id: row.id,
      name: row.name,
      url: row.url,
      state: isLate ? 'expired' : row.state,
      expiresAt: row.expiresAtMs,
      nodeId: row.nodeId ?? 0,
      attempt: attempts.get(row.id) ?? null,
    };
  }

  async function required(id: string): Promise<rows.EnrolmentRow> {
    const row = await rows.findEnrolment(store.reader, id);
    if (row === null) throw new DomainError('enrolment.unknown');
    return row;
  }

  function note(id: string, { address, dateMs }: Comer, error: DomainError | null): void {
    const offMs = dateMs === null ? 0 : dateMs - clock();
    const clockOffSec = Math.abs(offMs) > CLOCK_TOLERANCE_MS ? Math.round(offMs / 1000) : 0;
    const failure = {
      refusal: error === null ? null : refusalOf(error),
      error: error === null ? '' : deps.textOf(error),
    };
    attempts.set(id, { at: clock(), address, ...failure, clockOffSec });
    deps.publish({ type: 'invalidate', resource: 'nodes' });
  }

  /** Why this ticket cannot be used now; null = it can. */
  function closedBecause(row: rows.EnrolmentRow): DomainError | null {
    const { state } = present(row);
    if (state === 'used') return new DomainError('enrolment.used');
    if (state === 'cancelled') return new DomainError('enrolment.cancelled');
    return state === 'expired' ? new DomainError('enrolment.expired') : null;
  }

  /** The host has proven that it holds the key; this checks whether it may enrol. @throws {DomainError} why not */
  async function judged(row: rows.EnrolmentRow, said: Introduction): Promise<void> {
    if (said.ticket !== row.id || !isSecret(said.secret, row.secretHash)) throw new DomainError('enrolment.forged');
    const closed = closedBecause(row);
    if (closed !== null) throw closed;
    if (row.nodeId !== null) {
      const node = await findNode(store.reader, row.nodeId);
      if (node === null) throw new DomainError('node.notFound');
      if (node.guid !== '' && node.guid !== said.guid)
        throw new DomainError('enrolment.otherNode', { name: node.name });
    }
    await deps.requirePlace({ id: row.nodeId ?? 0, guid: said.guid, below: null });
  }

  /** A unique name for the new node: the operator's choice, or else the host's name. */
  async function freeName(wanted: string): Promise<string> {
    for (let count = 1; ; count += 1) {
      const name = count === 1 ? wanted : `${wanted} ${count}`;
      if (!(await isNameTaken(store.reader, name))) return name;
    }
  }

  async function detailsOf(
    row: rows.EnrolmentRow,
    said: Introduction,
    from: string,
    trunkId: string,
  ): Promise<EnrolledNode> {
    const known: NodeRow | null = row.nodeId === null ? null : await findNode(store.reader, row.nodeId);
    const address = from === 'unknown' ? said.hostName || 'localhost' : from;
    const place = { scheme: said.scheme, port: said.port, basePath: said.basePath };
    const isPrivate = classifyAddress(address) !== 'public';
    if (known !== null)
      return {
        ...place,
        id: known.id,
        name: known.name,
        address: known.address,
        isPrivate: known.allowPrivateAddress === 1,
        trunkId,
      };
    return { ...place, id: 0, name: await freeName(row.name || said.hostName || address), address, isPrivate, trunkId };
  }

  async function converse(
    row: rows.EnrolmentRow,
    end: MasterEnd,
    hostKey: X509Certificate,
    comer: Comer,
  ): Promise<void> {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(CONVERSATION_MS)]);
    const said = Introduction.parse(await end.ask(QUESTION.introduce, {}, signal));
    try {
      await judged(row, said);
      const trunkId = randomUUID();
      const { authority } = await mutualTls.trunkIdentity();
      const certificate = await mutualTls.issueNode(hostKey.publicKey, nodeHostName(trunkId));
      const given: NodeCertificate = { trunkId, masterName: new URL(row.url).host, authority, certificate };
      await end.ask(QUESTION.certificate, given, signal);
      const node = await detailsOf(row, said, comer.address, trunkId);
      const id = await deps.saveNode(node, async (trx, nodeId) => {
        if (!(await rows.endEnrolment(trx, row.id, { state: 'used', nodeId }))) throw new DomainError('enrolment.used');
      });
      log.info('node.enrolled', { nodeId: id, name: node.name, address: comer.address });
      note(row.id, comer, null);
      // The node connects whether or not this message arrives.
      await end.ask(QUESTION.done, { name: node.name }, signal).catch(() => null);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      await end.ask(QUESTION.refused, { text: deps.textOf(error) }, signal).catch(() => null);
      throw error;
    }
  }

  return {
    /**
     * @param asked `url` is this panel's address for hosts
     * @throws {DomainError} `node.nameTaken`, `node.notFound`
     */
    async create(asked: { name: string; nodeId: number; url: string }) {
      const { name, nodeId, url } = asked;
      if (nodeId === 0 && name !== '' && (await isNameTaken(store.reader, name)))
        throw new DomainError('node.nameTaken', {}, { field: 'name' });
      const node = nodeId === 0 ? null : await findNode(store.reader, nodeId);
      if (nodeId !== 0 && node === null) throw new DomainError('node.notFound');
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
      return { enrolment: present(row), ticket, installer: deps.installer };
    },
    /** @param url this panel's address for hosts from now on */
    moved: (url: string) => deps.tellAddress(url),
    /** @throws {DomainError} `enrolment.unknown` */
    get: async (id: string): Promise<Enrolment> => present(await required(id)),
    /** @throws {DomainError} `enrolment.unknown` */
    async cancel(id: string): Promise<void> {
      await required(id);
      await store.write((trx) => rows.endEnrolment(trx, id, { state: 'cancelled' }));
      deps.publish({ type: 'invalidate', resource: 'nodes' });
    },
    /** Early check of a host that has proven nothing yet. @returns why it is rejected; null = it may go on */
    async refusal(id: string, comer: Comer): Promise<DomainError | null> {
      const row = await rows.findEnrolment(store.reader, id);
      if (row === null) return new DomainError('enrolment.unknown');
      const closed = closedBecause(row) ?? (busy.has(id) ? new DomainError('enrolment.busy') : null);
      // An open ticket notes nothing before its secret is shown; a used one keeps its result.
      if (closed !== null && row.state === 'open') note(id, comer, closed);
      return closed;
    },
    /** Handles the whole conversation with a host that has connected with a ticket. */
    async admit(id: string, stream: Duplex, comer: Comer): Promise<void> {
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
        if (peer !== null) await converse(row, end, peer.certificate, comer);
      } catch (error) {
        const failure = error instanceof DomainError ? error : new DomainError('enrolment.ended');
        note(id, comer, failure);
        log.warn('node.notEnrolled', { address: comer.address, code: failure.code, error });
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
