import { afterAll, beforeAll, expect, test } from 'vitest';
import { startComposedPanel } from '../../testing/composed-panel.ts';

let panel: Awaited<ReturnType<typeof startComposedPanel>>;
let session: { cookie: string; csrfToken: string };
beforeAll(async () => {
  panel = await startComposedPanel();
  session = await panel.signIn();
});
afterAll(() => panel.close());

async function post(path: string, body: object): Promise<{ success: boolean; obj: unknown }> {
  const { cookie, csrfToken } = session;
  const answer = await fetch(new URL(path, panel.app.panel.url), {
    method: 'POST',
    headers: { cookie, 'x-csrf-token': csrfToken, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as { success: boolean; obj: unknown };
}

interface Preview {
  email: string;
  headers: Record<string, string>;
}

test('headers are shown with what is typed, stored nowhere, for the first client', async () => {
  const preview = async (body: object) => (await post('panel/api/setting/subHeaders', body)).obj as Preview;
  const typed = { subTitle: 'Hi {{EMAIL}}', subUpdates: 7 };
  expect(await preview(typed)).toMatchObject({
    email: 'sample',
    headers: {
      'Profile-Update-Interval': '7',
      'Profile-Title': `base64:${Buffer.from('Hi sample').toString('base64')}`,
      'Profile-Web-Page-Url': expect.stringMatching(/\/sub\/sample$/),
    },
  });
  const inbound = {
    protocol: 'vless',
    remark: 'i',
    port: 45_871,
    listen: '127.0.0.1',
    settings: { decryption: 'none' },
  };
  const made = await post('panel/api/inbounds/add', inbound);
  await post('panel/api/clients/add', {
    client: { email: 'ann', totalGB: 5 },
    inboundIds: [(made.obj as { id: number }).id],
  });
  const named = await preview(typed);
  expect(named.email).toBe('ann');
  expect(named.headers['Subscription-Userinfo']).toContain('total=5;');
  expect((await preview({})).headers['Profile-Title']).toBeUndefined();
  expect((await post('panel/api/setting/subHeaders', { subUpdates: 0 })).success).toBe(false);
});
