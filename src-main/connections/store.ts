import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { JsonFile } from '../preferences/json-file.ts';
import { SavedConnection, type ConnectionInput, type ConnectionSecrets } from './connection.ts';
import type { SecretBox } from './secrets.ts';

export const SavedConnections = z.object({ connections: z.array(SavedConnection) });
export type SavedConnections = z.output<typeof SavedConnections>;

/** Earlier versions wrote the bare list. */
export const carryOverConnections = (written: unknown): unknown =>
  Array.isArray(written) ? { connections: written } : written;

/** Contents of an export: no secrets, no ids of this computer. */
export const ExportedConnections = z.object({
  kind: z.literal('switchyard-connections'),
  connections: z.array(SavedConnection.omit({ id: true, lastUsedAtMs: true })).max(500),
});

export interface ConnectionStore {
  list(): readonly SavedConnection[];
  find(id: string): SavedConnection | undefined;
  /** The secret that signing in needs and that is neither given nor kept; null: none. */
  missingSecret(input: ConnectionInput): Promise<'token' | 'clientKey' | null>;
  /** Adds, or changes the one with the given id. @throws {Error} for an unknown id */
  save(input: ConnectionInput): Promise<SavedConnection>;
  /**
   * Its panel moved to another port or path, and the secrets go with it. @throws {Error} for another host, or for one
   * that is not encrypted any more
   */
  move(id: string, address: string): Promise<void>;
  remove(id: string): Promise<void>;
  markUsed(id: string): Promise<void>;
  secrets(id: string): Promise<ConnectionSecrets>;
  storeCookies(id: string, cookies: Record<string, string>): Promise<void>;
  /** False where nothing protects secrets: they are forgotten when the application ends. */
  areSecretsKept(): Promise<boolean>;
  /** As JSON text, without secrets. */
  exportAll(): string;
  /** Adds an export's connections; known addresses are left alone. @returns how many were added. @throws {Error} */
  importAll(text: string): Promise<number>;
}

export function createConnectionStore(deps: {
  file: JsonFile<SavedConnections>;
  secrets: SecretBox;
  clock: () => number;
}): ConnectionStore {
  const { file, secrets, clock } = deps;
  const list = (): readonly SavedConnection[] => file.read().connections;
  const write = (connections: SavedConnection[]): Promise<void> => file.write({ connections });
  const find = (id: string): SavedConnection | undefined => list().find((saved) => saved.id === id);
  const put = (changed: SavedConnection): Promise<void> =>
    write(list().map((saved) => (saved.id === changed.id ? changed : saved)));

  /** A secret belongs to the panel it was given to: another address, or another way of trust, must not get it. */
  async function keptFor({ id, address, trust }: ConnectionInput): Promise<ConnectionSecrets> {
    const before = id === undefined ? undefined : find(id);
    const isSamePanel =
      before !== undefined && before.address === address && JSON.stringify(before.trust) === JSON.stringify(trust);
    return isSamePanel ? secrets.read(before.id) : {};
  }

  return {
    list,
    find,
    async missingSecret(input) {
      const kept = await keptFor(input);
      if (input.signIn === 'token' && input.token === undefined && kept.token === undefined) return 'token';
      const needsKey = input.trust.mode === 'mutual' && input.clientKey === undefined && kept.clientKey === undefined;
      return needsKey ? 'clientKey' : null;
    },
    async save(input) {
      const { id, token, clientKey, ...shown } = input;
      const before = id === undefined ? undefined : find(id);
      if (id !== undefined && before === undefined) throw new Error('this connection is not known any more');
      const saved = { ...shown, id: id ?? randomUUID(), lastUsedAtMs: before?.lastUsedAtMs ?? 0 };
      await secrets.write(saved.id, {
        ...(await keptFor(input)),
        ...(token === undefined ? {} : { token }),
        ...(clientKey === undefined ? {} : { clientKey }),
      });
      if (before === undefined) await write([...list(), saved]);
      else await put(saved);
      return saved;
    },
    async move(id, address) {
      const before = find(id);
      if (before === undefined) throw new Error('this connection is not known any more');
      const [from, to] = [new URL(before.address), new URL(address)];
      const isWeaker = from.protocol === 'https:' && to.protocol !== 'https:';
      if (from.hostname !== to.hostname || isWeaker) throw new Error('this address has to be entered by hand');
      await put({ ...before, address });
    },
    async remove(id) {
      await write(list().filter((saved) => saved.id !== id));
      await secrets.forget(id);
    },
    async markUsed(id) {
      const found = find(id);
      if (found !== undefined) await put({ ...found, lastUsedAtMs: clock() });
    },
    secrets: (id) => secrets.read(id),
    async storeCookies(id, cookies) {
      // A late response of a panel that was removed.
      if (find(id) === undefined) return;
      await secrets.write(id, { ...(await secrets.read(id)), cookies });
    },
    areSecretsKept: () => secrets.isKept(),
    exportAll() {
      const connections = list().map(({ id: _id, lastUsedAtMs: _used, ...shown }) => shown);
      return JSON.stringify({ kind: 'switchyard-connections', connections }, null, 2);
    },
    async importAll(text) {
      const { connections } = ExportedConnections.parse(JSON.parse(text));
      const known = new Set(list().map(({ address }) => address));
      const fresh = connections.filter(({ address }) => !known.has(address));
      await write([...list(), ...fresh.map((shown) => ({ ...shown, id: randomUUID(), lastUsedAtMs: 0 }))]);
      return fresh.length;
    },
  };
}
