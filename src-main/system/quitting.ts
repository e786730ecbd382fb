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
  /** Asks if text that was typed in the window would be lost. */
  mayLeave: () => Promise<boolean>;
  runningJobs: () => Promise<RunningJob[]>;
  /** Ends the panel and its core after their final counters are stored. */
  stop: () => Promise<void>;
}

/** Every exit of the application goes through here, so that the core never ends before its counters are read. */
export function createQuitting({ texts, preferences, closeWindow, mayLeave, runningJobs, stop }: QuitDeps) {
  let isQuitting = false;
  let isConfirming = false;
  let isClosing = false;
  let ending: Promise<void> | null = null;

  function now(): Promise<void> {
    ending ??= end();
    return ending;
  }

  async function end(): Promise<void> {
    isQuitting = true;
    const limit = new Promise<void>((resolve) => setTimeout(resolve, STOP_LIMIT_MS));
    try {
      await Promise.race([stop(), limit]);
    } finally {
      app.exit(0);
    }
  }

  async function confirmAndQuit(): Promise<void> {
    if (isConfirming) return;
    isConfirming = true;
    try {
      const jobs = await runningJobs();
      if (jobs.length > 0 && !(await confirmJobs(jobs, texts))) return;
      if (await mayLeave()) await now();
    } finally {
      isConfirming = false;
    }
  }

  app.on('before-quit', (event) => {
    if (ending !== null) return;
    event.preventDefault();
    void confirmAndQuit();
  });
  // Closing the last window does not end the panel.
  app.on('window-all-closed', () => undefined);

  return {
    /**
     * The window's close button. The first time it asks the operator what closing means. When the application quits
     * with its window, the window goes last: it shows that the panel is stopping, and stays if the operator stays.
     */
    async requestClose(): Promise<void> {
      if (isQuitting) return closeWindow();
      if (isClosing) return;
      isClosing = true;
      try {
        const meaning = await whatClosingMeans();
        if (meaning === 'quit') app.quit();
        else if (meaning === 'tray' && (await mayLeave())) closeWindow();
      } finally {
        isClosing = false;
      }
    },
    /** Stops everything without a question: the machine is shutting down. */
    now,
  };

  async function whatClosingMeans(): Promise<'tray' | 'quit' | 'nothing'> {
    const { onClose } = preferences.read();
    if (onClose !== 'ask') return onClose;
    const { response } = await dialog.showMessageBox({
      type: 'question',
      message: texts.closeTitle,
      detail: texts.closeDetail,
      buttons: [texts.closeKeep, texts.closeQuit, texts.cancel],
      defaultId: 0,
      cancelId: 2,
      noLink: true,
    });
    if (response === 2) return 'nothing';
    const chosen = response === 0 ? 'tray' : 'quit';
    // A full disk does not keep the window open: it is asked again then.
    await preferences.write({ ...preferences.read(), onClose: chosen }).catch(() => undefined);
    return chosen;
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
