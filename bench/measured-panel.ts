import { rm } from 'node:fs/promises';
import { newDataDir, startPanel, type PanelProcess } from '../e2e/harness/panel-process.ts';
import { OPEN_TEMPLATE } from './open-template.ts';

/** What a measurement does not want to hear of. */
export const QUIET = { debug() {}, info() {}, warn() {}, error() {} };

/** Works in a data folder of its own, which is gone afterwards. */
export async function inFolder<T>(work: (dataDir: string) => Promise<T>): Promise<T> {
  const dataDir = await newDataDir();
  try {
    return await work(dataDir);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

type Start = NonNullable<Parameters<typeof startPanel>[0]>;

/** Works with a panel that ends afterwards. */
export async function withPanel<T>(options: Start, work: (panel: PanelProcess) => Promise<T>): Promise<T> {
  const panel = await startPanel(options);
  try {
    return await work(panel);
  } finally {
    await panel.stop();
  }
}

/** Makes identity, key file and a template that reaches loopback, so that the next start is an ordinary one. */
export const startOnce = (options: Start): Promise<void> =>
  withPanel(options, async ({ api }) => {
    const template = new URLSearchParams({ xraySetting: OPEN_TEMPLATE, outboundTestUrl: '' });
    await api.post('/panel/api/core/update', template);
  });
