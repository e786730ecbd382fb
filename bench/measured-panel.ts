import { rm } from 'node:fs/promises';
import { newDataDir, startPanel, type PanelProcess } from '../e2e/harness/panel-process.ts';
import { OPEN_TEMPLATE } from './open-template.ts';

/** A logger that discards everything. */
export const QUIET = { debug() {}, info() {}, warn() {}, error() {} };

/** Runs work in its own data folder, which is deleted afterwards. */
export async function inFolder<T>(work: (dataDir: string) => Promise<T>): Promise<T> {
  const dataDir = await newDataDir();
  try {
    return await work(dataDir);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

type Start = NonNullable<Parameters<typeof startPanel>[0]>;

/** Runs work with a panel, which is stopped afterwards. */
export async function withPanel<T>(options: Start, work: (panel: PanelProcess) => Promise<T>): Promise<T> {
  const panel = await startPanel(options);
  try {
    return await work(panel);
  } finally {
    await panel.stop();
  }
}

/** Creates identity, key file and a template that allows loopback, so that the next start is an ordinary one. */
export const startOnce = (options: Start): Promise<void> =>
  withPanel(options, async ({ api }) => {
    const template = new URLSearchParams({ xraySetting: OPEN_TEMPLATE, outboundTestUrl: '' });
    await api.post('/panel/api/core/update', template);
  });
