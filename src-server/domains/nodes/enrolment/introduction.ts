import { DomainError } from '../../../contract/domain-error.ts';
import { classifyAddress } from '../../../net/address-class.ts';
import type { Introduction } from '../../../net/trunk/messages.ts';
import { isSecret } from '../../../net/trunk/ticket.ts';
import type { Store } from '../../../store/open-store.ts';
import type { NewNode } from '../node-columns.ts';
import { findNode, isNameTaken } from '../repository.ts';
import type { NodeRow } from '../stored-types.ts';
import type * as rows from './repository.ts';
import type { Tickets } from './tickets.ts';

/** Fields of an enrolled node to save. @see NewNode */
export interface EnrolledNode extends Required<Pick<NewNode, 'name' | 'scheme' | 'address' | 'port' | 'basePath'>> {
  /** 0 = a new one. */
  id: number;
  isPrivate: boolean;
  trunkId: string;
}

interface IntroductionDeps extends Pick<Tickets, 'closedBecause'> {
  store: Pick<Store, 'reader'>;
  /** Checks that a panel may be a node. @throws {DomainError} why not */
  requirePlace: (candidate: { id: number; guid: string; below: string[] | null }) => Promise<void>;
}

/** What follows from what a host says about itself: whether it may enrol, and the node it becomes. */
export function createIntroductions({ store, requirePlace, closedBecause }: IntroductionDeps) {
  /** The host has proven that it holds the key; this checks whether it may enrol. @throws {DomainError} why not */
  async function judged(row: rows.EnrolmentRow, introduction: Introduction): Promise<void> {
    if (introduction.ticket !== row.id || !isSecret(introduction.secret, row.secretHash))
      throw new DomainError('enrolment.forged');
    const closed = closedBecause(row);
    if (closed !== null) throw closed;
    if (row.nodeId !== null) {
      const node = await findNode(store.reader, row.nodeId);
      if (node === null) throw new DomainError('node.missing');
      if (node.guid !== '' && node.guid !== introduction.guid)
        throw new DomainError('enrolment.otherNode', { name: node.name });
    }
    await requirePlace({ id: row.nodeId ?? 0, guid: introduction.guid, below: null });
  }

  /** A unique name for the new node: the operator's choice, or else the host's name. */
  async function freeName(wanted: string): Promise<string> {
    for (let count = 1; ; count += 1) {
      const name = count === 1 ? wanted : `${wanted} ${count}`;
      if (!(await isNameTaken(store.reader, name))) return name;
    }
  }

  /** @param from the address the host connects from; `unknown` = the name it gives itself is used */
  async function detailsOf(
    row: rows.EnrolmentRow,
    introduction: Introduction,
    from: string,
    trunkId: string,
  ): Promise<EnrolledNode> {
    const known: NodeRow | null = row.nodeId === null ? null : await findNode(store.reader, row.nodeId);
    const address = from === 'unknown' ? introduction.hostName || 'localhost' : from;
    const place = { scheme: introduction.scheme, port: introduction.port, basePath: introduction.basePath };
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
    return {
      ...place,
      id: 0,
      name: await freeName(row.name || introduction.hostName || address),
      address,
      isPrivate,
      trunkId,
    };
  }

  return { judged, detailsOf };
}
