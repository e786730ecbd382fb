import type { Basics } from '../basics.ts';
import { DomainError } from '../../contract/domain-error.ts';
import type { Secrets } from '../../store/secrets/secrets.ts';
import type { NodeDetails } from './contract.ts';
import { createEnrolledNodes } from './enrolment/enrolled-nodes.ts';
import { columnsOf, type NewNode } from './node-columns.ts';
import { identityOf, tokenSeal, type Registry } from './registry.ts';
import * as rows from './repository.ts';
import { raiseVersion, redeliverAll } from './sync/push/repository-push.ts';
import type { NodeRow } from './stored-types.ts';
import { tlsTrust } from './trust/tls-trust.ts';

interface ManagementDeps extends Pick<Basics, 'store' | 'clock' | 'publish'> {
  secrets: Pick<Secrets, 'seal'>;
  registry: Registry;
  /** GUID of this panel. */
  panelGuid: string;
  /** The node is removed or disabled. */
  forget: (nodeId: number, isGone: boolean) => void;
  /** Agreements with an enrolled node are void. */
  endTrunk: (nodeId: number) => void;
  /** The core needs other outbounds to nodes. */
  rewire: () => Promise<void>;
}

/** Adds, changes and removes nodes. */
export function createManagement(deps: ManagementDeps) {
  const { store, secrets, registry, forget, rewire, endTrunk, publish, clock } = deps;
  function requireKnown(id: number) {
    const node = registry.get(id);
    if (node === undefined) throw new DomainError('node.notFound');
    return node;
  }

  async function reload(id: number): Promise<void> {
    const before = wayTo(registry.get(id)?.row);
    const row = await rows.findNode(store.reader, id);
    if (row !== null) registry.put(row);
    if (before !== wayTo(row ?? undefined)) await rewire();
    publish({ type: 'invalidate', resource: 'nodes' });
  }

  /** @throws {DomainError} for problems of a new node that can be found without a request to it */
  async function requireNew({ apiToken = '', clearApiToken = false, ...details }: NewNode): Promise<void> {
    if (clearApiToken) throw new DomainError('node.nothingToClear', {}, { field: 'clearApiToken' });
    const values = columnsOf(details);
    // Refused now rather than at every poll.
    tlsTrust(values);
    if (values.tlsVerifyMode === 'enrolled') throw notEnrolled();
    if (apiToken.trim() === '' && values.tlsVerifyMode !== 'mtls') throw tokenRequired();
    if (await rows.isNameTaken(store.reader, details.name)) throw nameTaken();
  }

  return {
    ...createEnrolledNodes({ ...deps, reload }),

    requireNew,

    /**
     * Saves a node; the first poll shows whether it can be reached.
     * @returns its id
     * @throws {DomainError} `node.nameTaken`, `node.tokenRequired`, `node.nothingToClear`, and what {@link tlsTrust}
     *   throws
     */
    async add(node: NewNode): Promise<number> {
      await requireNew(node);
      const { apiToken = '', clearApiToken: _, enable = true, ...details } = node;
      const values = columnsOf(details);
      const id = await store.write(async (trx) => {
        if (await rows.isNameTaken(trx, details.name)) throw nameTaken();
        const nowMs = clock();
        const times = { createdAtMs: nowMs, updatedAtMs: nowMs };
        const newId = await rows.insertNode(trx, { ...values, apiToken: '', enable: enable ? 1 : 0, ...times });
        // Sealed with its id, which is known only now.
        if (apiToken.trim() !== '')
          await rows.updateNode(trx, newId, { apiToken: secrets.seal(tokenSeal(newId), apiToken.trim()) });
        return newId;
      });
      await reload(id);
      return id;
    },

    /**
     * Replaces all settings of a node; the stored token stays if none is given. If connection details changed,
     * everything is delivered again.
     * @throws {DomainError} `node.notFound`, `node.nameTaken`, `node.tokenRequired`, `node.tokenNeeded`
     */
    async update(id: number, { apiToken, clearApiToken, enable, ...details }: NodeDetails): Promise<void> {
      const { row } = requireKnown(id);
      const values = columnsOf(details);
      tlsTrust(values);
      const isEnabled = enable ?? row.enable === 1;
      const isStillEnrolled = values.tlsVerifyMode === 'enrolled';
      if (isStillEnrolled && row.trunkId === '') throw notEnrolled();
      const isTokenNeeded = isEnabled && values.tlsVerifyMode !== 'mtls' && !isStillEnrolled;
      if (clearApiToken && isTokenNeeded) throw new DomainError('node.tokenNeeded', {}, { field: 'clearApiToken' });
      if (isTokenNeeded && apiToken === '' && row.apiToken === '') throw tokenRequired();
      await store.write(async (trx) => {
        const nowMs = clock();
        if (details.name !== row.name && (await rows.isNameTaken(trx, details.name))) throw nameTaken();
        const token = clearApiToken
          ? { apiToken: '' }
          : apiToken === ''
            ? {}
            : { apiToken: secrets.seal(tokenSeal(id), apiToken) };
        const trunk = isStillEnrolled ? {} : { trunkId: '' };
        const saved = { ...values, ...token, ...trunk };
        await rows.updateNode(trx, id, { ...saved, enable: isEnabled ? 1 : 0, updatedAtMs: nowMs });
        // An unnecessary delivery would overwrite edits in progress on the node.
        const isSamePanel = identityOf({ ...row, ...saved }) === identityOf(row);
        await (isSamePanel ? raiseVersion : redeliverAll)(trx, id, nowMs);
      });
      await reload(id);
      if (!isEnabled || !isStillEnrolled) endTrunk(id);
      if (!isEnabled) forget(id, false);
    },

    /**
     * While a node is disabled, nothing is requested of it or sent to it; changes wait. @throws {DomainError}
     * `node.notFound`
     */
    async setEnable(id: number, enable: boolean): Promise<void> {
      requireKnown(id);
      await store.write((trx) => rows.updateNode(trx, id, { enable: enable ? 1 : 0, updatedAtMs: clock() }));
      await reload(id);
      if (!enable) endTrunk(id);
      if (!enable) forget(id, false);
    },

    /** @throws {DomainError} `node.notFound`, `node.attached` while inbounds are on it */
    async remove(id: number): Promise<void> {
      const { row } = requireKnown(id);
      await store.write(async (trx) => {
        const count = await rows.countInbounds(trx, id);
        if (count > 0) throw new DomainError('node.attached', { count });
        const { guid } = row;
        // Sightings of another panel with the same GUID stay.
        const isShared =
          guid === deps.panelGuid || registry.all().some((each) => each.row.id !== id && each.row.guid === guid);
        await rows.deleteNode(trx, id, isShared ? '' : guid);
      });
      const way = wayTo(registry.get(id)?.row);
      registry.drop(id);
      endTrunk(id);
      forget(id, true);
      if (way !== '') await rewire();
      publish({ type: 'invalidate', resource: 'nodes' });
    },
  };
}

/** Outbound through which a node is currently reached; empty = none. */
const wayTo = (row: Pick<NodeRow, 'enable' | 'outboundTag'> | undefined): string =>
  row === undefined || row.enable === 0 ? '' : row.outboundTag;
const notEnrolled = (): DomainError => new DomainError('node.notEnrolled', {}, { field: 'tlsVerifyMode' });
const nameTaken = (): DomainError => new DomainError('node.nameTaken', {}, { field: 'name' });
const tokenRequired = (): DomainError => new DomainError('node.tokenRequired', {}, { field: 'apiToken' });
