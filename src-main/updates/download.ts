import type { UpdateDownload } from '../bridge/contract.ts';

type Progress = (progress: { transferred: number; total: number }) => void;

/** The part of electron-updater that downloads. It checks hash and, on Windows and macOS, signature of the package. */
export interface Downloader {
  downloadUpdate(token?: Cancellation): Promise<unknown>;
  on(event: 'download-progress', listener: Progress): unknown;
  off(event: 'download-progress', listener: Progress): unknown;
}
export interface Cancellation {
  readonly cancelled: boolean;
  cancel(): void;
}

/** Downloads one package at a time. @param onChange the download on its way, null when it has ended */
export function createDownload(onChange: (download: UpdateDownload | null) => void) {
  let current: UpdateDownload | null = null;
  let cancel = (): void => undefined;

  function show(download: UpdateDownload | null): void {
    current = download;
    onChange(download);
  }

  return {
    current: (): UpdateDownload | null => current,
    cancel: (): void => cancel(),
    /** @returns false when it was cancelled */
    async run(updater: Downloader, version: string, token: Cancellation | undefined): Promise<boolean> {
      const note: Progress = ({ transferred, total }) =>
        show({ version, receivedBytes: transferred, totalBytes: total });
      cancel = () => token?.cancel();
      updater.on('download-progress', note);
      show({ version, receivedBytes: 0, totalBytes: 0 });
      try {
        await updater.downloadUpdate(token);
        return true;
      } catch (error) {
        if (token?.cancelled === true) return false;
        throw error;
      } finally {
        updater.off('download-progress', note);
        show(null);
      }
    },
  };
}
