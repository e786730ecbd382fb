import { randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DomainError } from '../../contract/domain-error.ts';
import type { CoreStatus } from '../../core/core.ts';
import { besideActive } from '../../store/beside-active.ts';
import type { Store } from '../../store/open-store.ts';
import { KEY_FILE } from '../../store/secrets/secret-key.ts';
import type { Secrets } from '../../store/secrets/secrets.ts';
import { sourceGuidOf } from '../traffic/ledger/source-guid.ts';
import type { ActivePanel } from '../server/contract.ts';
import { CoreReport, type PanelServer } from './contract.ts';
import * as rows from './repository.ts';

const ID_FILE = 'server-id';
/** Sealed text that proves which key a server has. */
const PROOF = 'panelServers';
/** A restarting panel is back within this time. */
const RESTART_MS = 15_000;
/** Most reasons reported by one server; its log has all of them. */
const MAX_LEFT_OUT = 100;

/** Why a standby panel does not do what is asked. */
export const standbyRefusal = ({ name, address }: ActivePanel): DomainError =>
  new DomainError('store.standby', { name, address });

export interface ThisServer {
  id: string;
  /** Of this machine. */
  name: string;
}

/** Id of a data folder among the panels that share a database; created on first use. */
export async function serverIdOf(dataDir: string): Promise<string> {
  const file = join(dataDir, ID_FILE);
  const read = async (): Promise<string | null> => (await readFile(file, 'utf8').catch(() => null))?.trim() || null;
  const found = await read();
  if (found !== null) return found;
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${randomUUID()}\n`, { mode: 0o600 });
  // Written atomically.
  await link(draft, file).catch(() => undefined);
  await rm(draft, { force: true });
  return (await read())!;
}

/** Panels that share one database. */
export function createServers(deps: {
  store: Store;
  secrets: Secrets;
  dataDir: string;
  own: ThisServer;
  clock: () => number;
}) {
  const { store, secrets, dataDir, own, clock } = deps;
  let reported = '';
  return {
    /** This server. */
    ownId: own.id,
    /**
     * Requires the key with which the database's secrets were sealed. The server that was active last may have lost its
     * key: it starts anyway, like a panel on a file.
     * @throws {DomainError} `store.otherKey`
     */
    async requireSameKey(): Promise<void> {
      const last = await rows.lastActive(store.reader);
      if (last === undefined || last.id === own.id || secrets.open(PROOF, last.keyProof) !== null) return;
      throw new DomainError('store.otherKey', { file: join(dataDir, KEY_FILE), name: last.name });
    },
    /** Source GUID of this server's core. */
    async sourceGuid(panelGuid: string): Promise<string> {
      const noted = await rows.sourceGuidOfServer(store.reader, own.id);
      if (noted !== undefined) return noted;
      // The first server continues the counting of a single panel.
      return (await rows.lastActive(store.reader)) === undefined ? panelGuid : sourceGuidOf(panelGuid, own.id);
    },
    /** Records this panel as active. @param sourceGuid of its core */
    async becomeActive(sourceGuid: string): Promise<void> {
      const row = { ...own, address: '', keyProof: secrets.seal(PROOF, PROOF), sourceGuid };
      await store.write(async (trx) => {
        // The clocks of two machines differ, but their order must not.
        const lastMs = (await rows.lastActive(trx))?.activeSinceMs ?? 0;
        await rows.noteActive(trx, { ...row, activeSinceMs: Math.max(clock(), lastMs + 1) });
      });
    },
    /** Records this panel as standby. @param sourceGuid of its core */
    async standBy(sourceGuid: string): Promise<void> {
      const row = { ...own, address: '', keyProof: secrets.seal(PROOF, PROOF), sourceGuid };
      await besideActive(() => store.write((trx) => rows.noteStandby(trx, row)));
    },
    showAddress: (address: string): Promise<void> =>
      besideActive(() => store.write((trx) => rows.setAddress(trx, own.id, address))),
    /** Records when it was last connected. Skipped for a single server. */
    async noteSeen(): Promise<void> {
      if ((await rows.allServers(store.reader)).length > 1)
        await besideActive(() => store.write((trx) => rows.noteSeen(trx, own.id)));
    },
    /** Shares the state of a standby server's core with the other panels; null = it runs none. */
    async reportCore(status: Pick<CoreStatus, 'state' | 'errorText' | 'leftOut'> | null): Promise<void> {
      const report: CoreReport | null = status && {
        state: status.state,
        errorMsg: status.errorText,
        leftOut: status.leftOut.slice(0, MAX_LEFT_OUT).map(({ kind, name, reason }) => ({ kind, name, reason })),
      };
      const text = report === null ? '' : JSON.stringify(report);
      if (text === reported) return;
      await besideActive(() => store.write((trx) => rows.setCoreReport(trx, own.id, text)));
      reported = text;
    },
    isKnown: (id: string): Promise<boolean> => rows.isServerKnown(store.reader, id),
    async list(): Promise<PanelServer[]> {
      const all = await rows.allServers(store.reader);
      const activeId = (await rows.lastActive(store.reader))?.id;
      return all.map(({ id, name, address, isConnected, seenAtMs, inboundCount, coreReport }) => {
        const state = isConnected === 0 ? 'away' : id === activeId ? 'active' : 'standby';
        return {
          id,
          name,
          address,
          state,
          isHere: id === own.id,
          lastSeen: isConnected === 1 ? clock() : seenAtMs,
          inboundCount,
          core: state === 'standby' && coreReport !== '' ? CoreReport.parse(JSON.parse(coreReport)) : null,
        };
      });
    },
    /** Keeps other panels from taking over while this one restarts. */
    keepPlace: (): Promise<void> => store.write((trx) => rows.keepPlace(trx, own.id, RESTART_MS)),
    /** Whether another panel is just restarting. */
    isPlaceKept: (): Promise<boolean> => rows.isPlaceKept(store.reader, own.id),
    /** Who was active last; null = not known. */
    async active(): Promise<ActivePanel | null> {
      const last = await rows.lastActive(store.reader);
      return last === undefined ? null : { name: last.name, address: last.address };
    },
  };
}
export type Servers = ReturnType<typeof createServers>;
