import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FAILPOINTS, type Failpoint } from '../src-server/failpoints/failpoint.ts';
import { forAllTests } from '../src-server/testing/for-each-test.ts';
import { startPanelWithMirror } from './harness/core/core-mirror.ts';
import { createFailpoints, type Failpoints } from './harness/failpoints.ts';
import { disposePanel } from './harness/panel-process.ts';
import { startServingPanel } from './harness/serving-panel.ts';
import { waitFor } from './harness/wait-for.ts';

const FIRST_BYTES = 20_000;

interface MadeCertificate {
  facts: { pin: string } | null;
  file: string;
  jobId: string;
}
let failpoints: Failpoints;
beforeAll(async () => {
  failpoints = await createFailpoints();
});
afterAll(() => failpoints.remove());

describe('a panel killed at a named point', () => {
  const serving = forAllTests(() => startServingPanel({ env: failpoints.env }));
  const emails = async (): Promise<string[]> =>
    (await serving.panel.api.get<{ email: string }[]>('/panel/api/clients/list')).map(({ email }) => email);
  test.each([
    ['change.committing', false],
    ['journal.committing', false],
    ['change.committed', true],
    ['change.applied', true],
  ] as const)('in a change of clients, %s', async (point, isThere) => {
    await failpoints.kill(serving.panel, [point], async () => {
      await expect(serving.add(point)).rejects.toThrow();
    });
    expect((await emails()).filter((email) => email === point)).toHaveLength(isThere ? 1 : 0);
    if (!isThere) await serving.add(point);
    const client = await serving.connect(point);
    expect(await client.fetchBytes(`${serving.site.url}/bytes/1000`)).toBe(1_000);
  });

  test('in a reading of the counters, counts every byte once', async () => {
    await serving.add('active');
    const client = await serving.connect('active');
    const before = serving.site.sentBytes();
    async function allCounted(): Promise<void> {
      const sent = serving.site.sentBytes() - before;
      await waitFor(`${sent} bytes to be counted`, async () => (await serving.traffic('active')).down === sent);
    }
    let bytes = FIRST_BYTES;
    for (const point of ['tick.read', 'tick.committing', 'tick.committed'] as const) {
      await failpoints.kill(serving.panel, [point], () => client.fetchBytes(`${serving.site.url}/bytes/${bytes}`));
      await allCounted();
      // Another number each time, so that no error makes up for another.
      bytes *= 3;
      expect(await client.fetchBytes(`${serving.site.url}/bytes/${bytes}`)).toBe(bytes);
      await allCounted();
    }
  });

  test('in the making of a certificate has the old one or the new one, whole', async () => {
    const API = '/panel/api/certificates';
    const { panel } = serving;
    const made = async () => {
      const { certificates } = await panel.api.get<{ certificates: [MadeCertificate] }>(`${API}/list`);
      return certificates[0];
    };
    const body = { name: 'own', source: 'selfSigned', names: ['a.example'] };
    const { id } = await panel.api.post<{ id: number }>(`${API}/save`, body);
    const first = await waitFor('the certificate', async () => {
      const now = await made();
      return now.jobId === '' && now;
    });
    const kill = (point: Failpoint) => failpoints.kill(panel, [point], () => panel.api.post(`${API}/obtain/${id}`));
    await kill('certificate.signed');
    expect(await made()).toEqual(first);
    await kill('certificate.written');
    const second = await made();
    expect(second).toMatchObject({ file: first.file, jobId: '' });
    expect(second.facts?.pin).not.toBe(first.facts?.pin);
    expect(filesIn('cert')).toHaveLength(1);
  });

  interface State {
    name: string;
    clients: number;
    file: Uint8Array;
  }
  const IMPORTS: readonly (readonly [end: 'old' | 'new', points: readonly Failpoint[]])[] = [
    ['old', ['import.prepared']],
    ['old', ['import.staged']],
    ['new', ['import.waiting']],
    ['new', ['backup.copied']],
    ['new', ['import.backedUp']],
    ['new', ['import.tried']],
    ['new', ['import.logSettled']],
    ['new', ['import.confirming']],
    // The panel had not come up with the new one: the next start goes back, however often that is cut off.
    ['old', ['import.putIn', 'import.undone']],
  ];

  describe('in an import has the old state or the new one, whole', () => {
    const states: State[] = [];
    let present = 1;
    beforeAll(async () => {
      for (const [name, more] of [
        ['small', 20],
        ['large', 2_000],
      ] as const) {
        const items = Array.from({ length: more }, (_, at) => ({
          client: { email: `${name}-${at}` },
          inboundIds: [serving.inboundId],
        }));
        await serving.panel.api.post('/panel/api/clients/import', { data: JSON.stringify(items) });
        await serving.panel.api.post('/panel/api/setting/update', { subTitle: name });
        const { length } = await emails();
        states.push({ name, clients: length, file: await serving.panel.api.download('/panel/api/server/getDb') });
      }
    });

    test.each(IMPORTS)('the %s one after %j', async (end, points) => {
      const other = states[1 - present]!;
      await failpoints.kill(serving.panel, points, async () => {
        const body = new FormData();
        body.append('db', new Blob([new Uint8Array(other.file)]), 'kept.db');
        await serving.panel.api.upload('/panel/api/server/importDB', body);
      });
      if (end === 'new') present = 1 - present;
      const { name, clients: count } = states[present]!;
      // A database that waits is put in by one start more.
      await waitFor('the import to be settled', () => filesIn('import').every((file) => file === 'ended.json'));
      await failpoints.running(serving.panel);
      const { subTitle } = await serving.panel.api.post<{ subTitle: string }>('/panel/api/setting/all');
      expect([subTitle, (await emails()).length]).toEqual([name, count]);
      expect(filesIn('backups').filter((file) => !/^panel-\d{13}-[a-z]+\.db$/.test(file))).toEqual([]);
      expect(filesIn('.').filter((file) => /restoring|damaged|unfinished/.test(file))).toEqual([]);
    });
  });
  const filesIn = (folder: string): string[] => readdirSync(join(serving.panel.dataDir, folder));
});

describe('a panel killed while it exchanges files of the core', () => {
  let place: Awaited<ReturnType<typeof startPanelWithMirror>>;
  beforeAll(async () => {
    place = await startPanelWithMirror({ pieceMs: 0, env: failpoints.env });
  });
  afterAll(async () => {
    await disposePanel(place.panel);
    await place.closeMirror();
  });

  test.each([
    ['exchange.kept', 'old'],
    ['exchange.begun', 'old'],
    ['exchange.placed', 'old'],
    ['exchange.committed', 'new'],
  ] as const)('%s: the %s core runs', async (point, end) => {
    const installed = place.coreDigest();
    const published = place.publishOtherCore();
    await failpoints.kill(place.panel, [point], () => place.panel.api.post('/panel/api/server/installCore/latest'));
    expect(place.coreDigest()).toBe(end === 'old' ? installed : published);
    expect(place.leftInFolder()).toEqual([]);
  });

  test('one of six geo files put in place: all of the old ones are back, and the update can be done again', async () => {
    const first = place.publishGeoFiles('FIRST');
    expect(await place.finished('/panel/api/server/updateGeofile')).toMatchObject({ state: 'done', error: '' });
    expect(place.geoFiles()).toEqual(first);
    const second = place.publishGeoFiles('SECOND');
    await failpoints.kill(place.panel, ['exchange.half'], () =>
      place.panel.api.post('/panel/api/server/updateGeofile'),
    );
    expect(place.geoFiles()).toEqual(first);
    expect(place.leftInFolder()).toEqual([]);
    expect(await place.finished('/panel/api/server/updateGeofile')).toMatchObject({ state: 'done', error: '' });
    expect(place.geoFiles()).toEqual(second);
  });
});

test('no named point is left out', () => {
  expect([...failpoints.killedAt].sort()).toEqual(FAILPOINTS.toSorted());
});
