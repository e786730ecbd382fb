import { expect, it } from 'vitest';
import { forEachTest } from '../../../testing/for-each-test.ts';
import { ADMIN } from '../../../testing/credentials.ts';
import { openPanel } from '../../../testing/panels/open-panel.ts';

const MINUTE_MS = 60_000;

const panel = forEachTest(openPanel);

it('an older session must confirm its password before another panel gets access by its certificate', async () => {
  const browser = await panel.signedIn();
  const trust = async (body: object): Promise<string> => {
    const { json, headers } = await browser.post('panel/api/nodes/mtls/trustCA', body);
    return json?.success === true ? 'done' : String(headers['x-error-code']);
  };
  const { json } = await browser.post('panel/api/nodes/mtls/trustCA', {});
  expect(json).toMatchObject({ success: false, obj: { issues: [{ field: 'caCert', rule: 'required' }] } });
  expect(await trust({ caCert: '' })).toBe('done');
  panel.jumpClock(16 * MINUTE_MS);
  expect(await trust({ caCert: '' })).toBe('session.stepUpRequired');
  expect(await trust({ caCert: '', currentPassword: 'a guess' })).toBe('session.stepUpFailed');
  expect(await trust({ caCert: '', currentPassword: ADMIN.password })).toBe('done');
});
