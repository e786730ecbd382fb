import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { testFolder } from '../../src-server/testing/for-each-test.ts';
import { openRecordedPanel } from '../../src-server/testing/peers/recorded-panel.ts';
import type { PanelCard } from '../bridge/panels.ts';
import { externalNode } from '../supervisor/external-node.ts';
import type { ServerProcess, ServerRuntime } from '../supervisor/server-runtime.ts';
import type { FromPanels, PanelTarget, ToPanels } from './messages.ts';
import { target } from './testing-target.ts';
import { createPanelsHost, type PanelsHost } from './panels-host.ts';

let folder: string;
let host: PanelsHost;
let panel: Awaited<ReturnType<typeof openRecordedPanel>>;
let targets: PanelTarget[];
let received: PanelCard[];
let onCards: (cards: PanelCard[]) => void;
/** Processes that were started, and how many of them run. */
let started: ServerProcess<ToPanels>[];
let running: number;
beforeEach(async () => {
  folder = await testFolder();
  panel = await openRecordedPanel({ token: 'theirs' });
  targets = [target('other', panel.url, 'theirs')];
  [received, started, running] = [[], [], 0];
  onCards = (cards) => received.push(...cards);
  const key = randomBytes(32).toString('base64');
  const real = externalNode<FromPanels, ToPanels>(process.execPath, join(import.meta.dirname, 'panels-main.ts'));
  const runtime: ServerRuntime<FromPanels, ToPanels> = {
    start(args, hooks) {
      running += 1;
      const onExit = (code: number | null): void => {
        running -= 1;
        hooks.onExit(code);
      };
      const child = real.start(args, { ...hooks, onExit });
      started.push(child);
      return child;
    },
  };
  host = createPanelsHost({
    runtime,
    file: join(folder, 'panels.db'),
    key: async () => ({ key, isKept: true }),
    targets: async () => targets,
    onCards: (cards) => onCards(cards),
  });
});
afterEach(async () => {
  host.close();
  await expect.poll(() => running).toBe(0);
  await panel.close();
});

it('answers from its own process, which keeps its data through a crash, and ends when nobody asks', async () => {
  host.setMode('shown');
  const [first] = panel.clients;
  const hits = async (): Promise<string[]> => (await host.request('search', first!.uuid)).hits.map(({ ref }) => ref);
  expect(await host.request('cards', null)).toMatchObject([{ id: 'other' }]);
  await expect.poll(hits).toEqual([first!.email]);
  expect(host.cards()).toMatchObject([{ id: 'other', state: 'ok' }]);
  // An unknown request ends nothing.
  await expect(host.request('inventory', 'nobody')).resolves.toMatchObject({ clientCount: 0 });

  started[0]!.kill();
  await expect.poll(() => started.length).toBe(2);
  await expect.poll(hits).toEqual([first!.email]);
  expect(host.cards()).toMatchObject([{ id: 'other' }]);

  targets = [];
  host.targetsChanged();
  await expect.poll(() => host.cards()).toEqual([]);
  await expect.poll(hits).toEqual([]);
  host.setMode('off');
  await expect.poll(() => running).toBe(0);
  expect(started).toHaveLength(2);
});

it('stays closed: the panel of this computer, which stops then, does not start it again', async () => {
  host.setMode('watching');
  await host.request('cards', null);
  host.close();
  host.setMode('watching');
  await expect(host.request('cards', null)).rejects.toThrow('the application ends');
  await expect.poll(() => running).toBe(0);
  expect(started).toHaveLength(1);
});

it('drops the card of a removed panel whether or not the process runs, and says so', async () => {
  host.setMode('shown');
  await host.request('cards', null);
  await expect.poll(() => host.cards()).toMatchObject([{ id: 'other' }]);
  host.setMode('off');
  await expect.poll(() => running).toBe(0);
  let told = 0;
  onCards = () => (told += 1);
  targets = [];
  host.targetsChanged();
  await expect.poll(() => [host.cards(), told]).toEqual([[], 1]);
  expect(started).toHaveLength(1);
});

it('says so when its process never starts; the page would stay empty', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let starts = 0;
  const broken = createPanelsHost({
    runtime: {
      start(_args, hooks) {
        starts += 1;
        queueMicrotask(() => hooks.onExit(1));
        return { send: () => undefined, kill: () => undefined };
      },
    },
    file: join(folder, 'broken.db'),
    key: async () => ({ key: '', isKept: true }),
    targets: async () => [],
    onCards: () => undefined,
  });
  broken.setMode('shown');
  const failed = expect(broken.request('cards', null)).rejects.toThrow('does not start');
  await vi.advanceTimersByTimeAsync(61_000);
  await failed;
  expect(starts).toBeGreaterThan(3);
  broken.close();
});
