import { Router } from '@koa/router';
import Koa from 'koa';
import type { AddressInfo } from 'node:net';
import { Secret, TOTP } from 'otpauth';
import { DomainError } from '../contract/domain-error.ts';
import type { Envelope } from '../contract/envelope.ts';
import type { PanelEvent } from '../contract/events.ts';
import { verifyTotp } from '../domains/session/totp.ts';
import { settingsRoutes } from '../domains/settings/routes.ts';
import type { SettingsCaller } from '../domains/settings/save.ts';
import { createSettingsService } from '../domains/settings/service.ts';
import { texts } from '../domains/settings/texts.ts';
import { createTranslate } from '../http/texts.ts';
import { openSecrets } from '../store/secrets/secret-key.ts';
import { manualSchedule } from './manual-schedule.ts';
import { openTestStore, recordingLogger } from './test-store.ts';

/** Code that an authenticator shows for a secret at a moment. */
export function totpCode(secret: string, atMs: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: atMs });
}

/** The settings calls over HTTP, with a real store and time under the test's control. */
export async function startSettingsPanel() {
  const time = manualSchedule();
  const opened = await openTestStore(time.clock);
  const { store, dataDir } = opened;
  const log = recordingLogger();
  const secrets = await openSecrets({ dataDir, log, clock: time.clock });
  const events: PanelEvent[] = [];
  const steppedUp: unknown[] = [];
  const state = { caller: { kind: 'token' } as SettingsCaller, restarts: 0, hasApiToken: false };
  await store.write(async (trx) => {
    const nowMs = time.clock();
    await trx
      .insertInto('admins')
      .values({
        username: 'root',
        passwordHash: 'x',
        loginEpoch: 1,
        lastTotpStep: 0,
        createdAtMs: nowMs,
        updatedAtMs: nowMs,
      })
      .execute();
  });
  const create = () =>
    createSettingsService({
      store,
      secrets,
      clock: time.clock,
      log,
      publish: (event) => void events.push(event),
      schedule: time.schedule,
      verifyTotp,
      stepUp: {
        async verify(_caller, { currentPassword }) {
          steppedUp.push(currentPassword);
          if (currentPassword !== 'open sesame') throw new DomainError('test.stepUp');
        },
      },
      requestRestart: () => void state.restarts++,
      hasApiToken: async () => state.hasApiToken,
      isIpLimitUsable: () => true,
      defaultTemplate: { log: { access: 'none' }, outbounds: [] },
      isDevBuild: false,
    });
  const settings = await create();

  const router = new Router();
  settingsRoutes({ router, mounted: { endpoints: [] }, translate: createTranslate({ en: texts }) }, settings);
  const koa = new Koa();
  koa.use(async (ctx, next) => {
    const info = {
      caller: state.caller,
      address: '127.0.0.1',
      origin: { scheme: 'http', host: ctx.get('x-test-host') || ctx.host },
      userAgent: '',
      requestId: 'request-1',
    };
    Object.assign(ctx.state, { info, language: 'en' });
    await next();
  });
  koa.use(router.routes());
  const server = koa.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/panel/api/setting/`;

  return {
    store,
    dataDir,
    secrets,
    log,
    events,
    steppedUp,
    state,
    time,
    settings,
    /** A second service over the same data, as another process has one. */
    createAnother: create,
    /** @param body an object, or the raw text of a JSON body. */
    async post(name: string, body: object | string = {}, headers: Record<string, string> = {}): Promise<Envelope> {
      const answer = await fetch(url + name, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
      return (await answer.json()) as Envelope;
    },
    async get(name: string): Promise<Envelope> {
      return (await (await fetch(url + name)).json()) as Envelope;
    },
    async rows(): Promise<Record<string, string>> {
      const rows = await store.reader.selectFrom('settings').selectAll().execute();
      return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
    },
    async admin() {
      return store.reader.selectFrom('admins').selectAll().executeTakeFirstOrThrow();
    },
    async close() {
      await new Promise((resolve) => server.close(resolve));
      await opened.dispose();
    },
  };
}
export type SettingsPanel = Awaited<ReturnType<typeof startSettingsPanel>>;
