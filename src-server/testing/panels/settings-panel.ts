import { Secret, TOTP } from 'otpauth';
import type { Envelope } from '../../contract/envelope.ts';
import { verifyTotp } from '../../domains/session/sign-in/totp.ts';
import { NO_STEP_UP } from '../../domains/settings/proofs.ts';
import { createSettingsService } from '../../domains/settings/service.ts';
import { openPanel } from './open-panel.ts';

/** Code that an authenticator shows for a secret at a given time. */
export function totpCode(secret: string, atMs: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: atMs });
}

/** A panel for settings tests, on a machine where no other program holds a port. */
export async function startSettingsPanel() {
  const state = { restarts: 0 };
  const opened = await openPanel({
    app: { onRestart: () => void state.restarts++ },
  });
  const { store, parts, events, log } = opened;
  parts.engine.clientIps.isUsable = () => true;
  const readRows = async () => store.reader.selectFrom('settings').selectAll().execute();
  const made = new Map((await readRows()).map(({ key, value }) => [key, value]));
  events.length = 0;
  log.lines.length = 0;
  return {
    ...opened,
    secrets: parts.base.secrets,
    state,
    settings: parts.base.settings,
    /** A second service over the same data, as in another process. */
    createAnother: () =>
      createSettingsService({
        ...parts.base,
        verifyTotp,
        stepUp: NO_STEP_UP,
        requestRestart: () => {},
        hasApiToken: async () => true,
        isIpLimitUsable: () => true,
        requireFreePort: async () => {},
        defaultTemplate: {},
        isDevBuild: false,
      }),
    /** @param body an object, or the raw text of a JSON body. */
    async post(name: string, body: object | string = {}, headers: Record<string, string> = {}): Promise<Envelope> {
      return opened.post(`/setting/${name}`, body, { 'x-request-id': 'request-1', ...headers });
    },
    get: (name: string) => opened.get(`/setting/${name}`),
    /** The stored settings, without what every panel creates at its start. */
    async rows(): Promise<Record<string, string>> {
      const rows = (await readRows()).filter(({ key, value }) => made.get(key) !== value);
      return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
    },
    admin: () => store.reader.selectFrom('admins').selectAll().executeTakeFirstOrThrow(),
  };
}
export type SettingsPanel = Awaited<ReturnType<typeof startSettingsPanel>>;
