import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { WebSocket } from 'ws';
import { createApp } from '../../app.ts';
import type { AppOptions } from '../../assembly/options.ts';
import type { Envelope } from '../../contract/envelope.ts';
import type { PanelEvent } from '../../contract/events.ts';
import { DATABASE_NAME, openStore } from '../../store/open-store.ts';
import { ADMIN, API_TOKEN } from '../credentials.ts';
import { manualSchedule } from '../manual-schedule.ts';
import { servingCore, type ServingCore } from '../serving-core.ts';
import { createTestBrowser } from '../peers/test-browser.ts';
import { copyDatabase, databaseOf, dropDatabase, giveGuid, writeDirectly } from '../postgres/databases.ts';
import { preparedFolder } from '../test-store.ts';

export interface PanelOptions {
  /** No panel has been started in its folder before. */
  isFresh?: boolean;
  /** The folder of a panel that has ended, to continue with. */
  dataDir?: string;
  startMs?: number;
  panelGuid?: string;
  /** The real core, which finds no executable, instead of one under the test's control. */
  isWithoutCore?: boolean;
  /** Changes the core before the panel is composed with it. */
  core?: (core: ServingCore) => void;
  /** Settings that differ, as on a command line. */
  app?: Partial<AppOptions>;
}

/**
 * The panel as composed for users, over time and a core under the test's control, in its own folder, on a machine where
 * no other program holds a port.
 */
export async function openPanel(options: PanelOptions = {}) {
  const { isFresh = false, isWithoutCore = false, panelGuid } = options;
  const time = manualSchedule(options.startMs);
  const dataDir =
    options.dataDir ?? (isFresh ? await mkdtemp(join(tmpdir(), 'switchyard-test-')) : await preparedFolder());
  const url = databaseOf(dataDir);
  if (isFresh && options.dataDir === undefined) await copyDatabase('template0', dataDir);
  const write = (sql: string, ...values: (string | number)[]): void => {
    if (url !== undefined) return writeDirectly(dataDir, sql, values);
    const database = new Database(join(dataDir, DATABASE_NAME));
    try {
      database.prepare(sql).run(...values);
    } finally {
      database.close();
    }
  };
  if (panelGuid !== undefined && url !== undefined) await giveGuid(dataDir, panelGuid);
  else if (panelGuid !== undefined) write(`INSERT INTO settings (key, value) VALUES ('panelGuid', ?)`, panelGuid);
  const events: PanelEvent[] = [];
  let core!: ServingCore;
  const app = await createApp({
    dataDir,
    ...(url !== undefined &&
      options.app?.store === undefined && {
        store: openStore({ dataDir, clock: time.clock, log: time.log, isPanel: true, database: url }),
      }),
    resourcesDir: dataDir,
    core: join(dataDir, 'no-such-core'),
    ...(!isWithoutCore && {
      createCore(given) {
        core = servingCore(given);
        options.core?.(core);
        return core;
      },
    }),
    overrides: { webListen: '127.0.0.1', webPort: 0, subListen: '127.0.0.1', subPort: 0 },
    log: time.log,
    clock: time.clock,
    monotonic: time.monotonic,
    schedule: time.schedule,
    onRestart: () => {},
    isHstsAllowed: true,
    findForeignUse: async () => null,
    onEvent: (event) => void events.push(event),
    ...options.app,
  });
  if (isWithoutCore) await app.coreBooted;
  const { store, panelGuid: guid } = app.parts.base;

  async function call(method: string, path: string, body?: object | string, headers: Record<string, string> = {}) {
    const isForm = body instanceof URLSearchParams;
    const response = await fetch(new URL(`panel/api${path}`, app.panel.url), {
      method,
      headers: {
        authorization: `Bearer ${API_TOKEN}`,
        ...(!isForm && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isForm || typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return (await response.json()) as Envelope;
  }
  /** An object is sent as JSON, URLSearchParams as a form, text unchanged. */
  const post = (path: string, body: object | string = {}, headers?: Record<string, string>) =>
    call('POST', path, body, headers);
  const result = (envelope: Envelope): unknown => {
    if (!envelope.success) throw new Error(`refused: ${envelope.msg} ${JSON.stringify(envelope.obj)}`);
    return envelope.obj;
  };

  const panel = {
    ...time,
    app,
    parts: app.parts,
    dataDir,
    store,
    panelGuid: guid,
    events,
    core,
    nodes: app.parts.engine.nodes,
    set: (settings: object) => panel.done('/setting/update', settings),
    /** Writes past every check, as an old import could have. */
    write,
    /** Removes all rows of a table; the next one has the id 1 again. */
    clear(table: string): void {
      if (url !== undefined) return write(`TRUNCATE ${table} RESTART IDENTITY CASCADE`);
      write(`DELETE FROM ${table}`);
      write('DELETE FROM sqlite_sequence WHERE name = ?', table);
    },
    call,
    get: (path: string) => call('GET', path),
    post,
    /** The result of a call that must succeed. */
    done: async <T = unknown>(path: string, body?: object): Promise<T> => result(await post(path, body)) as T,
    read: async <T>(path: string): Promise<T> => result(await panel.get(path)) as T,
    /** Adds a client and expects success. */
    add: (client: object, inboundIds: readonly number[]) => panel.done('/clients/add', { client, inboundIds }),
    /** Adds a vless inbound, or another one, and expects success. @returns its id */
    async inbound(port: number, more: object = {}): Promise<number> {
      const body = {
        port,
        protocol: 'vless',
        settings: { decryption: 'none', encryption: 'none' },
        streamSettings: { network: 'tcp', security: 'none' },
        ...more,
      };
      return (await panel.done<{ id: number }>('/inbounds/add', body)).id;
    },
    /** A node known only by name. @returns its id */
    unreachableNode: () =>
      panel.nodes.add({ name: 'away', scheme: 'https', address: 'node.invalid', port: 443, apiToken: 'none' } as never),
    /** The stored state of a client. */
    state: (email: string) =>
      store.reader
        .selectFrom('clientStates as state')
        .innerJoin('clients as client', 'client.id', 'state.clientId')
        .selectAll('state')
        .where('client.email', '=', email)
        .executeTakeFirst(),
    /** Moves time by 5 s, counts, enforces and publishes. */
    async tick(): Promise<void> {
      await time.advance(5_000);
      await app.parts.engine.traffic.tick();
    },
    /** A browser without cookies. */
    browser: () => createTestBrowser(app.panel.url),
    /** A browser of the administrator. */
    async signedIn() {
      const browser = createTestBrowser(app.panel.url);
      const { username, password } = app.firstAdmin ?? ADMIN;
      await browser.signIn(username, password);
      return browser;
    },
    /** Opens a page that shows live figures. */
    async watch(): Promise<WebSocket> {
      const cookie = (await panel.signedIn()).cookieHeader();
      const socket = new WebSocket(new URL('ws', app.panel.url.replace('http', 'ws')), {
        headers: { cookie },
        origin: new URL(app.panel.url).origin,
      });
      await once(socket, 'open');
      return socket;
    },
    /** Sends a request to the subscription server. */
    fetchSub: (path: string, headers: Record<string, string> = {}, method = 'GET') =>
      fetch(new URL(path, app.sub), { method, headers }),
    async close(): Promise<void> {
      await app.close();
      await dropDatabase(dataDir);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  return panel;
}
export type TestPanel = Awaited<ReturnType<typeof openPanel>>;
