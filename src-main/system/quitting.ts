import { app, dialog } from 'electron';
import type { JsonFile } from '../preferences/json-file.ts';
import type { Preferences } from '../preferences/preferences.ts';
import type { RunningJob } from '../shell/panel-calls.ts';
import type { Texts } from '../texts/en.ts';
import { fill } from '../texts/texts.ts';

/** Even if the panel hangs, the application ends after this time. */
const STOP_LIMIT_MS = 15_000;

interface QuitDeps {
  texts: Texts;
  preferences: JsonFile<Preferences>;
  /** Closes the window; the application stays. */
  closeWindow: () => void;
  runningJobs: () => Promise<RunningJob[]>;
  /** Ends the panel and its core after their final counters are stored. */
  stop: () => Promise<void>;
}

/** Every exit of the application goes through here, so that the core never ends before its counters are read. */
export function createQuitting({ texts, preferences, closeWindow, runningJobs, stop }: QuitDeps) {
  let isQuitting = false;
  let isAsking = false;
  let ending: Promise<void> | null = null;

  function now(): Promise<void> {
    ending ??= end();
    return ending;
  }

  async function end(): Promise<void> {
    isQuitting = true;
    const limit = new Promise<void>((resolve) => setTimeout(resolve, STOP_LIMIT_MS));
    await Promise.race([stop(), limit]);
    app.exit(0);
  }

  async function askAndQuit(): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    try {
      const jobs = await runningJobs();
      if (jobs.length === 0 || (await confirmJobs(jobs, texts))) await now();
    } finally {
      isAsking = false;
    }
  }

  app.on('before-quit', (event) => {
    if (ending !== null) return;
    event.preventDefault();
    void askAndQuit();
  });
  // Closing the last window does not end the panel.
  app.on('window-all-closed', () => undefined);

  return {
    /** Called before the window closes; the first time it asks the operator what closing means. */
    mayClose(): boolean {
      if (isQuitting) return true;
      const { onClose } = preferences.read();
      if (onClose === 'ask') {
        void askOnce();
        return false;
      }
      return true;
    },
    windowClosed(): void {
      if (!isQuitting && preferences.read().onClose === 'quit') app.quit();
    },
    /** Stops everything without a question: the machine is shutting down. */
    now,
  };

  async function askOnce(): Promise<void> {
    const { response } = await dialog.showMessageBox({
      type: 'question',
      message: texts.closeTitle,
      detail: texts.closeDetail,
      buttons: [texts.closeKeep, texts.closeQuit, texts.cancel],
      defaultId: 0,
      cancelId: 2,
      noLink: true,
    });
    if (response === 2) return;
    await preferences.write({ ...preferences.read(), onClose: response === 0 ? 'tray' : 'quit' });
    if (response === 1) app.quit();
    else closeWindow();
  }
}
export type Quitting = ReturnType<typeof createQuitting>;

async function confirmJobs(jobs: readonly RunningJob[], texts: Texts): Promise<boolean> {
  const { response } = await dialog.showMessageBox({
    type: 'warning',
    message: fill(texts.jobsTitle, { count: jobs.length }),
    detail: fill(texts.jobsDetail, { names: jobs.map(({ title }) => title).join(', ') }),
    buttons: [texts.quitAnyway, texts.cancel],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  });
  return response === 0;
}
