import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openPanel } from '../../../src-server/testing/panels/open-panel.ts';
import { openJobs, transfer } from '../jobs/testing-jobs.ts';
import { target } from '../testing-target.ts';
import { openSealedStore } from '../store/sealed-store.ts';
import { openTransferNotes } from './transfer-notes.ts';

it('without a key store, an application killed in the middle still reports that there was a transfer', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-notes-'));
  const file = join(folder, 'panels-transfers.json');
  const [here, there] = await Promise.all([openPanel(), openPanel()]);
  const targets = new Map([
    ['here', target('here', here.app.panel.url)],
    ['there', target('there', there.app.panel.url)],
  ]);
  const stores = [openSealedStore(null, randomBytes(32)), openSealedStore(null, randomBytes(32))] as const;
  try {
    const inboundId = await here.inbound(4430, { remark: 'Door' });
    await here.add({ email: 'ali@example.org' }, [inboundId]);
    const first = openJobs(stores[0], targets, undefined, openTransferNotes(file));
    const { id, result } = await first.planned(transfer({ inboundIds: [inboundId] }));
    expect(result!.notes).toEqual([{ code: 'notProtected', params: {} }]);
    // Nothing is awaited until the next start: the transfer is still in the middle.
    const run = first.call('runTransfer', id);
    const said = readFileSync(file, 'utf8');
    for (const known of ['ali@', 'Door', '4430']) expect(said).not.toContain(known);

    // All that the next start of the application finds.
    const next = openJobs(stores[1], targets, undefined, openTransferNotes(file));
    next.settle();
    const [note, ...more] = next.call('unfinished', null);
    expect(more).toEqual([]);
    expect(note).toMatchObject({ fromId: 'here', toId: 'there', mode: 'copy', outcome: 'unknown', isRunning: false });
    next.call('forget', note!.id);
    expect([next.call('unfinished', null), existsSync(file)]).toEqual([[], false]);
    // A completed transfer leaves no note.
    expect(await first.ended('transfer', run)).toMatchObject({ state: 'done' });
    expect(first.call('unfinished', null)).toEqual([]);
  } finally {
    for (const store of stores) store.close();
    await Promise.all([here.close(), there.close()]);
    await rm(folder, { recursive: true });
  }
});
