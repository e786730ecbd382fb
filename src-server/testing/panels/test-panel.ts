import { scryptSync } from 'node:crypto';
import { createEventBus, type PanelEvent } from '../../contract/events.ts';
import type { BindContext } from '../../http/bind.ts';
import { createPanelServer, type PanelServerDeps } from '../../http/listeners/create-http-server.ts';
import type { HttpSettings } from '../../http/http-settings.ts';
import { createSay, texts as httpTexts, type Texts } from '../../http/texts.ts';
import type { Derive } from '../../domains/session/passwords/password-hash.ts';
import { createPasswordHasher } from '../../domains/session/passwords/password-hash.ts';
import { sessionRoutes } from '../../domains/session/routes.ts';
import { createSessionService } from '../../domains/session/service.ts';
import type { SessionSettings } from '../../domains/session/session-store.ts';
import { texts as sessionTexts } from '../../domains/session/texts.ts';
import { tokenRoutes } from '../../domains/tokens/routes.ts';
import { createTokenService } from '../../domains/tokens/service.ts';
import { texts as tokenTexts } from '../../domains/tokens/texts.ts';
import { manualSchedule } from '../manual-schedule.ts';
import { createTestBrowser } from '../peers/test-browser.ts';
import { openTestStore, recordingLogger } from '../test-store.ts';

export interface TestPanelOptions {
  settings?: Partial<HttpSettings & SessionSettings>;
  /** Routes of the domain under test. */
  mount?: readonly ((context: BindContext) => void)[];
  texts?: Texts;
  /** `real` = scrypt as shipped; a function to count or hold hashes; by default scrypt with next to no work. */
  derive?: Derive | 'real';
  isRightElsewhere?: (username: string, password: string) => Promise<boolean>;
  server?: Partial<PanelServerDeps>;
  privateSocket?: string;
  /** 127.0.0.1 by default. */
  listenHost?: string;
  /** Any free port by default. */
  listenPort?: number;
  isWebOptional?: boolean;
  startMs?: number;
}

const cheapDerive: Derive = async (password, salt) => scryptSync(password, salt, 32, { N: 2, r: 1, p: 1 });

/** The composed panel on its own port: real store, real sign-in, movable clock. */
export async function openTestPanel(options: TestPanelOptions = {}) {
  const time = manualSchedule(options.startMs ?? Date.UTC(2026, 0, 2, 3, 4, 5));
  const { clock, monotonic, schedule } = time;
  const log = recordingLogger();
  const events: PanelEvent[] = [];
  const bus = createEventBus((error) => log.error('bus', { error }));
  bus.subscribe((event) => events.push(event));
  const opened = await openTestStore(clock);
  const { store, dataDir } = opened;
  const settings = {
    webDomain: '',
    webBasePath: '/',
    webCertFile: '',
    webKeyFile: '',
    trustedProxyCIDRs: '',
    sessionMaxAge: 360,
    twoFactorEnable: false,
    twoFactorToken: '',
    ...options.settings,
  };
  const { derive = cheapDerive } = options;
  const sessions = createSessionService({
    store,
    settings: { current: () => settings, secret: async () => 'a secret of this test' },
    clock,
    monotonic,
    publish: bus.publish,
    log,
    passwords: createPasswordHasher(derive === 'real' ? {} : { derive }),
    ...(options.isRightElsewhere === undefined ? {} : { isRightElsewhere: options.isRightElsewhere }),
  });
  const tokens = createTokenService({
    store,
    clock,
    publish: bus.publish,
    prove: (change) => sessions.proveUnlessRecent(change),
  });
  const server = createPanelServer({
    settings: { current: () => settings },
    auth: {
      session: sessions.session,
      visitorCsrfToken: sessions.visitorCsrfToken,
      bearer: (token) => tokens.authenticateBearer(token),
    },
    say: createSay({ ...httpTexts, ...sessionTexts, ...tokenTexts, ...options.texts }),
    log,
    clock,
    schedule,
    mount: [
      (context) => sessionRoutes(context, sessions),
      (context) => tokenRoutes(context, tokens),
      ...(options.mount ?? []),
    ],
    ...options.server,
  });
  const admin = await sessions.ensureAdmin();
  if (admin === null) throw new Error('the store was not empty');
  const { privateSocket } = options;
  const close = async () => {
    await server.close();
    await schedule.close();
    await opened.dispose();
  };
  const listening = await server
    .listen({
      host: options.listenHost ?? '127.0.0.1',
      port: options.listenPort ?? 0,
      isWebOptional: options.isWebOptional ?? false,
      ...(privateSocket === undefined ? {} : { privateSocket }),
    })
    .catch(async (error: unknown) => {
      await close();
      throw error;
    });
  return {
    time,
    log,
    events,
    store,
    dataDir,
    settings,
    sessions,
    tokens,
    server,
    admin,
    listening,
    /** A browser without cookies. */
    browser: () => createTestBrowser(listening.url),
    /** A signed-in browser. */
    async signedIn() {
      const browser = createTestBrowser(listening.url);
      await browser.signIn(admin.username, admin.password);
      return browser;
    },
    /** An API token with full rights. */
    async token(name = 'test'): Promise<string> {
      const local = { caller: { kind: 'local' }, signedInAtMs: null, address: '', proof: {} };
      return (await tokens.create(local, name)).token;
    },
    close,
  };
}
export type TestPanel = Awaited<ReturnType<typeof openTestPanel>>;
