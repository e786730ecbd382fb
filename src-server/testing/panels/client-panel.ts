import type { JsonObject } from '../../contract/json.ts';
import type { Envelope } from '../../contract/envelope.ts';
import { openPanel } from './open-panel.ts';
import { recordRuntime } from '../recording-runtime.ts';
import { storeInbound } from '../stored-inbound.ts';

export const REALITY: JsonObject = { network: 'tcp', security: 'reality' };
export const WEBSOCKET: JsonObject = { network: 'ws', security: 'none' };
export const DAY_MS = 86_400_000;
export const GIB = 1_073_741_824;

/** Response to a change when these clients are connected and cannot be cut off individually. */
export const leftOpen = (...emails: string[]) => ({
  sessions: 'leftOpen' as const,
  sessionReport: {
    step: 'left' as const,
    connections: 0,
    left: emails.map((email) => ({ email, reason: 'unable' as const })),
    leftCount: emails.length,
    offers: ['restart' as const],
    note: 'not on this machine',
  },
});

/** A panel for client tests: inbounds are rows, and its core cannot tell who is connected. */
export async function startClientPanel() {
  const opened = await openPanel({ panelGuid: 'guid-of-this-panel' });
  const { parts, store, clock } = opened;
  const { traffic } = parts.engine;
  opened.core.online = null;
  const ended: string[] = [];
  const choices: string[] = [];
  const take = traffic.sessions.take.bind(traffic.sessions);
  traffic.sessions.take = async (users, choice, cause) => {
    ended.push(...new Set(users.flatMap(({ emails }) => emails)));
    choices.push(choice);
    return take(users, choice, cause);
  };
  let lastPort = 10_000;
  const panel = {
    ...opened,
    runtime: recordRuntime(parts.engine.runtime),
    service: parts.records.clients,
    jobs: parts.base.jobs,
    publish: parts.base.publish,
    time: {
      get nowMs() {
        return clock();
      },
      set nowMs(to) {
        opened.jumpClock(to - clock());
      },
    },
    /** Whose sessions were to be ended, in order. */
    ended,
    /** How far to go each time. */
    choices,
    /** Clients that count as online from now on. */
    setOnline(online: ReadonlySet<string>): void {
      traffic.port.onlineEmails = () => online;
    },
    get: (call: string) => opened.get(`/clients${call}`),
    post: (call: string, body?: object, headers?: Record<string, string>) =>
      opened.post(`/clients${call}`, body, headers),
    /** The result of a call that must succeed. */
    async ok<T = unknown>(response: Promise<Envelope>): Promise<T> {
      const { success, msg, obj } = await response;
      if (!success) throw new Error(`refused: ${msg} ${JSON.stringify(obj)}`);
      return obj as T;
    },
    /** The message of a call that must fail. */
    async refusal(response: Promise<Envelope>): Promise<string> {
      const { success, msg, obj } = await response;
      if (success) throw new Error(`accepted: ${JSON.stringify(obj)}`);
      return msg;
    },
    /** A stored inbound. @returns its id. */
    async inbound(protocol = 'vless', settings: JsonObject = {}, stream: JsonObject = {}): Promise<number> {
      lastPort += 1;
      return storeInbound(store, { port: lastPort, protocol, settings, stream, nowMs: clock() });
    },
    /** The stored rows of a client. */
    async stored(email: string) {
      const client = await store.reader
        .selectFrom('clients')
        .innerJoin('clientStates', 'clientStates.clientId', 'clients.id')
        .selectAll()
        .where('email', '=', email)
        .executeTakeFirst();
      if (client === undefined) return null;
      const links = await store.reader
        .selectFrom('clientInbounds')
        .selectAll()
        .where('clientId', '=', client.id)
        .orderBy('inboundId')
        .execute();
      return { ...client, links };
    },
    /** Sets state values that only the accounting loop would set. */
    async setState(
      email: string,
      state: Partial<{
        enable: 0 | 1;
        disabledBy: '' | 'admin' | 'loop';
        resetDays: number;
        upBytes: number;
        downBytes: number;
        expiresAtMs: number;
        lastOnlineAtMs: number;
      }>,
    ): Promise<void> {
      const id = (await panel.stored(email))!.id;
      await store.write(async (trx) => {
        await trx.updateTable('clientStates').set(state).where('clientId', '=', id).execute();
      });
      panel.service.clientsChanged();
    },
  };
  return panel;
}
