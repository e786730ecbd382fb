import { expect, test } from 'vitest';
import { forAllTests } from '../../testing/for-each-test.ts';
import { openPanel } from '../../testing/panels/open-panel.ts';

const panel = forAllTests(openPanel);

interface Preview {
  email: string;
  headers: Record<string, string>;
}

test('headers are shown with unsaved settings, for the first client, and nothing is stored', async () => {
  const preview = async (body: object) => (await panel.post('/setting/subHeaders', body)).obj as Preview;
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
  const made = await panel.post('/inbounds/add', inbound);
  await panel.post('/clients/add', {
    client: { email: 'ann', totalGB: 5 },
    inboundIds: [(made.obj as { id: number }).id],
  });
  const named = await preview(typed);
  expect(named.email).toBe('ann');
  expect(named.headers['Subscription-Userinfo']).toContain('total=5;');
  expect((await preview({})).headers['Profile-Title']).toBeUndefined();
  expect((await panel.post('/setting/subHeaders', { subUpdates: 0 })).success).toBe(false);
});
