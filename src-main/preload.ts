import { contextBridge, ipcRenderer } from 'electron';
import type { DesktopBridge, LiveState } from './bridge/contract.ts';
import { ownWords } from './bridge/own-words.ts';

/** Runs sandboxed in our page: exposes named functions, never `ipcRenderer` itself. */
const call =
  (channel: string) =>
  (...args: unknown[]): Promise<never> =>
    ipcRenderer.invoke(channel, ...args).catch((error: unknown) => {
      throw ownWords(error);
    }) as Promise<never>;

function on(channel: string, listener: (value: never) => void): () => void {
  const take = (_event: unknown, value: unknown): void => listener(value as never);
  ipcRenderer.on(channel, take);
  return () => ipcRenderer.removeListener(channel, take);
}

const desktop: DesktopBridge = {
  connections: {
    list: call('connections.list'),
    save: call('connections.save'),
    remove: call('connections.remove'),
    use: call('connections.use'),
    moved: call('connections.moved'),
    reach: call('connections.reach'),
    certificate: call('connections.certificate'),
    exportAll: call('connections.exportAll'),
    importAll: call('connections.importAll'),
    areSecretsKept: call('connections.areSecretsKept'),
  },
  server: {
    state: call('server.state'),
    onState: (listener) => on('server.changed', listener),
    retry: call('server.retry'),
    openDataFolder: call('server.openDataFolder'),
    backups: call('server.backups'),
    restore: call('server.restore'),
  },
  live: {
    listen(onMessage, onState) {
      const ends = [on('live.message', onMessage), on('live.state', onState)];
      void (ipcRenderer.invoke('live.state') as Promise<LiveState>).then(onState);
      return () => {
        for (const end of ends) end();
      };
    },
  },
  panels: {
    show: call('panels.show'),
    onCards: (listener) => on('panels.cards', listener),
    refresh: call('panels.refresh'),
    setChoices: call('panels.setChoices'),
    search: call('panels.search'),
    inventory: call('panels.inventory'),
    clients: call('panels.clients'),
    open: call('panels.open'),
  },
  jobs: {
    planVerb: call('jobs.planVerb'),
    runVerb: call('jobs.runVerb'),
    retryVerb: call('jobs.retryVerb'),
    verb: call('jobs.verb'),
    planTransfer: call('jobs.planTransfer'),
    transferPlan: call('jobs.transferPlan'),
    chooseTransfer: call('jobs.chooseTransfer'),
    runTransfer: call('jobs.runTransfer'),
    transfer: call('jobs.transfer'),
    unfinished: call('jobs.unfinished'),
    settle: call('jobs.settle'),
    forget: call('jobs.forget'),
    compare: call('jobs.compare'),
    comparison: call('jobs.comparison'),
    takeLine: call('jobs.takeLine'),
    cancel: call('jobs.cancel'),
  },
  maintenance: {
    backups: call('maintenance.backups'),
    setBackups: call('maintenance.setBackups'),
    usePassphrase: call('maintenance.usePassphrase'),
    contents: call('maintenance.contents'),
    plan: call('maintenance.plan'),
    remove: call('maintenance.remove'),
    pull: call('maintenance.pull'),
    check: call('maintenance.check'),
    exportTo: call('maintenance.exportTo'),
    restore: call('maintenance.restore'),
    restoreParts: call('maintenance.restoreParts'),
    reachability: call('maintenance.reachability'),
    setReachability: call('maintenance.setReachability'),
    tryPanel: call('maintenance.tryPanel'),
    runs: call('maintenance.runs'),
    cancel: call('maintenance.cancel'),
    forget: call('maintenance.forget'),
    tasks: call('maintenance.tasks'),
    onTasks: (listener) => on('maintenance.tasks', listener),
  },
  lock: {
    view: call('lock.view'),
    lockNow: call('lock.lockNow'),
    authenticate: call('lock.answer'),
    set: call('lock.set'),
  },
  shell: {
    useThisComputer: call('shell.useThisComputer'),
    takeFirstCredentials: call('shell.takeFirstCredentials'),
    choices: call('shell.choices'),
    setChoices: call('shell.setChoices'),
    updateDownload: call('shell.updateDownload'),
    onUpdateDownload: (listener) => on('shell.updateDownload', listener),
    cancelUpdate: call('shell.cancelUpdate'),
    setTheme: call('shell.setTheme'),
    setLanguage: call('shell.setLanguage'),
    onOpen(listener) {
      const end = on('shell.open', listener);
      // What was asked for while this page was loading.
      void (ipcRenderer.invoke('shell.listens') as Promise<string | null>).then(
        (path) => path !== null && listener(path),
      );
      return end;
    },
  },
};

contextBridge.exposeInMainWorld('desktop', desktop);
