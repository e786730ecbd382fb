import { join } from 'node:path';
import Database from 'better-sqlite3';
import { DATABASE_NAME } from '../store/open-store.ts';
import { startComposedPanel } from './composed-panel.ts';

/** The whole panel at a moment that stands still, for what its subscription server hands out. */
export async function startSubPanel(nowMs: number) {
  const panel = await startComposedPanel(() => nowMs);
  const { cookie, csrfToken } = await panel.signIn();

  async function call<T>(path: string, body?: object): Promise<T> {
    const answer = await fetch(new URL(`panel/api/${path}`, panel.app.panel.url), {
      method: body === undefined ? 'GET' : 'POST',
      headers: { cookie, 'x-csrf-token': csrfToken, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const { success, msg, obj } = (await answer.json()) as { success: boolean; msg: string; obj: T };
    if (!success) throw new Error(`${path}: ${msg} ${JSON.stringify(obj)}`);
    return obj;
  }

  return {
    /** The result of a call that must succeed; without a body it is a GET. */
    call,
    set: (settings: object) => call('setting/update', settings),
    /** Adds an inbound at a public address. @returns its id */
    async inbound(body: { protocol: string; port: number } & Record<string, unknown>): Promise<number> {
      const common = { listen: '203.0.113.77', settings: { decryption: 'none', encryption: 'none' } };
      return (await call<{ id: number }>('inbounds/add', { ...common, ...body })).id;
    },
    add: (client: object, inboundIds: readonly number[]) => call('clients/add', { client, inboundIds }),
    /** Writes past every check, as an import of something old could have. */
    write(sql: string, ...values: (string | number)[]): void {
      const database = new Database(join(panel.dataDir, DATABASE_NAME));
      try {
        database.prepare(sql).run(...values);
      } finally {
        database.close();
      }
    },
    /** Asks the subscription server. */
    ask: (path: string, headers: Record<string, string> = {}, method = 'GET') =>
      fetch(new URL(path, panel.app.sub), { method, headers }),
    close: () => panel.close(),
  };
}
export type SubPanel = Awaited<ReturnType<typeof startSubPanel>>;
