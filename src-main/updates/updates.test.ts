import { describe, expect, it } from 'vitest';
import { textsFor } from '../texts/texts.ts';
import { createUpdates, type AppUpdater } from './updates.ts';

const texts = textsFor('en');

/** An application with an updater that finds `version`, and a user who presses `choices` in turn. */
function open(found: Partial<AppUpdater> & { version?: string | null }, choices: number[] = [], hasUpdater = true) {
  const done: string[] = [];
  const { version = '2.0.0' } = found;
  const updater: AppUpdater = {
    autoDownload: true,
    autoInstallOnAppQuit: false,
    channel: null,
    allowDowngrade: false,
    async checkForUpdates() {
      return version === null
        ? null
        : { isUpdateAvailable: true, updateInfo: { version, releaseNotes: '<b>Faster</b> & safer' } };
    },
    async downloadUpdate() {
      done.push('downloaded');
    },
    on: () => undefined,
    off: () => undefined,
    ...found,
  };
  const updates = createUpdates({
    texts,
    hasUpdater,
    channel: () => 'stable',
    onDownload: () => undefined,
    showDownload: () => undefined,
    load: async () => updater,
    async showDialog({ message, detail = '' }) {
      done.push(detail === '' ? message : `${message}: ${detail.replaceAll(/\s+/g, ' ')}`);
      return choices.shift() ?? 0;
    },
  });
  return { updates, done, updater };
}
const OFFER = `Version 2.0.0 is available: ${texts.updateDetail} Faster & safer ${texts.updateRollback}`;

describe('updates', () => {
  it('are downloaded after consent, with their notes as plain text, and installed on quit', async () => {
    const { updates, done, updater } = open({}, [0]);
    await updates.check(false);
    expect(done).toEqual([OFFER, 'downloaded', 'Version 2.0.0 is installed when you quit']);
    expect([updater.autoDownload, updater.autoInstallOnAppQuit]).toEqual([false, true]);
    await updates.check(false);
    expect(done).toHaveLength(3);
  });

  it('are not offered again automatically once declined, but on request', async () => {
    const { updates, done } = open({}, [1, 1]);
    await updates.check(false);
    await updates.check(false);
    expect(done).toEqual([OFFER]);
    await updates.check(true);
    expect(done).toEqual([OFFER, OFFER]);
  });

  it('that fail change nothing, and are reported to a waiting user', async () => {
    const { updates, done } = open({ downloadUpdate: async () => Promise.reject(new Error('wrong signature')) });
    await updates.check(false);
    expect(done).toEqual([OFFER]);
    await updates.check(true);
    expect(done.at(-1)).toBe('Updating did not work. This version stays as it is.');
  });

  it('are silent when there is none, unless requested; a build without an address says so', async () => {
    const none = open({ version: null });
    await none.updates.check(false);
    expect(none.done).toEqual([]);
    await none.updates.check(true);
    expect(none.done).toEqual(['This is the newest version.']);
    const unpacked = open({}, [], false);
    await unpacked.updates.check(true);
    expect(unpacked.done).toEqual(['This build has no update address. Get new versions from where you got this one.']);
  });
});
