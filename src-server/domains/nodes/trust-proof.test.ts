import { afterEach, beforeEach, expect, it } from 'vitest';
import { startComposedPanel } from '../../testing/composed-panel.ts';

const MINUTE_MS = 60_000;

let nowMs: number;
let composed: Awaited<ReturnType<typeof startComposedPanel>>;
beforeEach(async () => {
  nowMs = Date.now();
  composed = await startComposedPanel(() => nowMs);
});
afterEach(() => composed.close());

it('an older session shows its password again before another panel is let in by its certificate', async () => {
  const { app } = composed;
  const { cookie, csrfToken } = await composed.signIn();
  const trust = async (body: object): Promise<string | null> => {
    const answer = await fetch(new URL('panel/api/nodes/mtls/trustCA', app.panel.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-csrf-token': csrfToken, cookie },
      body: JSON.stringify(body),
    });
    const { success } = (await answer.json()) as { success: boolean };
    return success ? 'done' : answer.headers.get('x-error-code');
  };
  expect(await trust({ caCert: '' })).toBe('done');
  nowMs += 16 * MINUTE_MS;
  expect(await trust({ caCert: '' })).toBe('session.stepUpRequired');
  expect(await trust({ caCert: '', currentPassword: 'a guess' })).toBe('session.stepUpFailed');
  expect(await trust({ caCert: '', currentPassword: app.firstAdmin?.password })).toBe('done');
});
