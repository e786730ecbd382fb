import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestPanel, type TestPanel } from '../../testing/test-panel.ts';

let panel: TestPanel;
beforeEach(async () => {
  panel = await openTestPanel();
});
afterEach(() => panel.close());

test('signs in, and the session opens the API', async () => {
  const browser = panel.browser();
  const answer = await browser.login({ username: panel.admin.username, password: panel.admin.password });
  expect(answer.status).toBe(200);
  expect(answer.json).toEqual({ success: true, msg: 'You have successfully logged into your account.', obj: null });
  const list = await browser.get('panel/api/setting/apiTokens');
  expect(list.json).toEqual({ success: true, msg: '', obj: [] });
});
