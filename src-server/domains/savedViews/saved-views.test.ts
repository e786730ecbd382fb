import { expect, it } from 'vitest';
import { forEachTest } from '../../testing/for-each-test.ts';
import { openPanel } from '../../testing/panels/open-panel.ts';
import { MAX_VIEWS } from './contract.ts';

const panel = forEachTest(openPanel);

const columns = { order: ['state'], shown: ['state'], density: 'compact' as const, widths: { email: 200 } };
const view = (q: string) => ({ query: { q, status: 'expired' }, columns });

it('keeps views by name and owner, up to a limit, and deletes them', async () => {
  expect(await panel.read('/views/clients')).toEqual([]);
  await panel.done('/views/clients/save', { name: ' Late payers ', view: view('a') });
  await panel.done('/views/clients/save', { name: 'Late payers', view: view('b') });
  expect(await panel.read('/views/clients')).toEqual([{ name: 'Late payers', view: view('b') }]);
  const admin = await panel.signedIn();
  expect((await admin.get('panel/api/views/clients')).json?.obj).toEqual([]);
  await admin.post('panel/api/views/clients/save', { name: 'Mine', view: view('') });
  expect(await panel.read('/views/clients')).toHaveLength(1);
  for (let at = 1; at < MAX_VIEWS; at++)
    await panel.done('/views/clients/save', { name: `view ${at}`, view: view('') });
  expect((await panel.post('/views/clients/save', { name: 'one more', view: view('') })).msg).toBe(
    'there are 50 views already; delete one first',
  );
  await panel.done('/views/clients/save', { name: 'view 1', view: view('c') });
  await panel.done('/views/clients/delete', { name: 'Late payers' });
  await panel.done('/views/clients/delete', { name: 'Late payers' });
  expect(await panel.read('/views/clients')).toHaveLength(MAX_VIEWS - 1);
  expect((await panel.post('/views/clients/save', { name: '', view: view('') })).success).toBe(false);
  expect((await panel.get('/views/elsewhere')).success).toBe(false);
});
