import { copyFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Download, ElectronApplication } from 'playwright';
import { waitFor } from '../../harness/wait-for.ts';

/** A downloaded file, as journeys use it. */
export type Taken = Pick<Download, 'suggestedFilename' | 'path' | 'saveAs'>;

/**
 * The application's downloads, in order of arrival. Playwright does not see them in Electron, and a person would be
 * asked for a folder: here they go into `folder`.
 * @returns a function that waits for the next complete one
 */
export async function followDownloads(app: ElectronApplication, folder: string): Promise<() => Promise<Taken>> {
  await app.evaluate(({ session }, to) => {
    const taken: string[] = [];
    Object.assign(globalThis, { taken });
    session.defaultSession.on('will-download', (_event, item) => {
      item.setSavePath(`${to}/${item.getFilename()}`);
      item.once('done', (_done, state) => taken.push(state === 'completed' ? item.getSavePath() : ''));
    });
  }, folder);
  const list = (): Promise<string[]> => app.evaluate(() => (globalThis as unknown as { taken: string[] }).taken);
  let seen = 0;
  return async () => {
    const file = await waitFor('a download', async () => (await list())[seen]);
    seen += 1;
    return {
      suggestedFilename: () => basename(file),
      path: async () => file,
      saveAs: (to) => copyFile(file, to),
    };
  };
}
