import type { UpdateDownload } from '../bridge/contract.ts';
import type { Texts } from '../texts/en.ts';
import { fill } from '../texts/texts.ts';
import { createDownload, type Cancellation, type Downloader } from './download.ts';

const DAY_MS = 86_400_000;
/** Long enough after the start not to disturb. */
const FIRST_LOOK_MS = 60_000;

/** The part of electron-updater used here. */
export interface AppUpdater extends Downloader {
  autoDownload: boolean;
  autoInstallOnAppQuit: boolean;
  /** The list beside the packages that is read. */
  channel: string | null;
  /** Setting `channel` switches it on. */
  allowDowngrade: boolean;
  checkForUpdates(): Promise<{
    isUpdateAvailable: boolean;
    updateInfo: { version: string; releaseNotes?: unknown };
    cancellationToken?: Cancellation;
  } | null>;
}

/** `stable`: releases. `dev`: upcoming ones, as soon as they are built. */
export type UpdateChannel = 'stable' | 'dev';
/** Names of the channels' lists where packages are published. */
const LISTS: Readonly<Record<UpdateChannel, string>> = { stable: 'latest', dev: 'dev' };

/** A system dialog. @returns the index of the button */
export type ShowDialog = (dialog: { message: string; detail?: string; buttons: string[] }) => Promise<number>;

interface UpdateDeps {
  texts: Texts;
  showDialog: ShowDialog;
  /** Whether this build has an update address; a development run has none. */
  hasUpdater: boolean;
  channel: () => UpdateChannel;
  onDownload: (download: UpdateDownload | null) => void;
  /** Opens the page that shows the download. */
  showDownload: () => void;
  load?: () => Promise<AppUpdater>;
}

/** New versions of this application: checked at start and daily, downloaded after consent, installed on quit. */
export function createUpdates(deps: UpdateDeps) {
  const { texts, showDialog, hasUpdater, channel, onDownload, showDownload, load = loadUpdater } = deps;
  const download = createDownload(onDownload);
  let fetched = '';
  let declined = '';
  let isBusy = false;

  async function look(isRequested: boolean): Promise<void> {
    const updater = await load();
    updater.autoDownload = false;
    updater.autoInstallOnAppQuit = true;
    updater.channel = LISTS[channel()];
    // A user who leaves the dev channel waits for a newer release: an older one would refuse the newer database.
    updater.allowDowngrade = false;
    const found = await updater.checkForUpdates();
    if (found === null || !found.isUpdateAvailable) return isRequested ? say(texts.updateNone) : undefined;
    const { version, releaseNotes } = found.updateInfo;
    if (version === fetched) return isRequested ? say(fill(texts.updateDownloaded, { version })) : undefined;
    if (version === declined && !isRequested) return undefined;
    if (!(await hasConsent(version, releaseNotes))) {
      declined = version;
      return undefined;
    }
    if (isRequested) showDownload();
    if (!(await download.run(updater, version, found.cancellationToken))) {
      declined = version;
      return undefined;
    }
    fetched = version;
    return say(fill(texts.updateDownloaded, { version }));
  }

  async function hasConsent(version: string, releaseNotes: unknown): Promise<boolean> {
    const notes = typeof releaseNotes === 'string' ? releaseNotes.replaceAll(/<[^>]*>/g, '').slice(0, 1_000) : '';
    const response = await showDialog({
      message: fill(texts.updateReady, { version }),
      detail: [texts.updateDetail, notes, texts.updateRollback].filter((part) => part !== '').join('\n\n'),
      buttons: [texts.updateDownload, texts.updateLater],
    });
    return response === 0;
  }

  async function say(message: string): Promise<void> {
    await showDialog({ message, buttons: [texts.understood] });
  }

  async function check(isRequested: boolean): Promise<void> {
    if (isBusy) return isRequested && download.current() !== null ? showDownload() : undefined;
    if (!hasUpdater) return isRequested ? say(texts.updateNowhere) : undefined;
    isBusy = true;
    try {
      await look(isRequested);
    } catch {
      // No network, a broken signature, a full disk: the installed version is untouched in every case.
      if (isRequested) await say(texts.updateFailed);
    } finally {
      isBusy = false;
    }
    return undefined;
  }

  return {
    start(): void {
      if (!hasUpdater) return;
      setTimeout(() => void check(false), FIRST_LOOK_MS).unref();
      setInterval(() => void check(false), DAY_MS).unref();
    },
    /** @param isRequested the user waits for the result: also "no new version" and failures are shown */
    check,
    /** The download on its way; null = none. */
    download: download.current,
    cancel: download.cancel,
  };
}
export type Updates = ReturnType<typeof createUpdates>;

/** Loaded on demand: it is large, and most starts need no check. */
async function loadUpdater(): Promise<AppUpdater> {
  const { default: updater } = await import('electron-updater');
  return updater.autoUpdater;
}
