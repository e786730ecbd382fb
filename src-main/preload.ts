import { contextBridge, ipcRenderer } from 'electron';
import type { DesktopBridge, LiveState } from './bridge/contract.ts';

/** Runs sandboxed in our page: hands out named verbs, never `ipcRenderer` itself. */
const call =
  (channel: string) =>
  (...args: unknown[]): Promise<never> =>
    ipcRenderer.invoke(channel, ...args) as Promise<never>;

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
  works: {
    planVerb: call('works.planVerb'),
    runVerb: call('works.runVerb'),
    retryVerb: call('works.retryVerb'),
    verb: call('works.verb'),
    planTransfer: call('works.planTransfer'),
    transferPlan: call('works.transferPlan'),
    chooseTransfer: call('works.chooseTransfer'),
    runTransfer: call('works.runTransfer'),
    transfer: call('works.transfer'),
    unfinished: call('works.unfinished'),
    settle: call('works.settle'),
    forget: call('works.forget'),
    compare: call('works.compare'),
    comparison: call('works.comparison'),
    takeLine: call('works.takeLine'),
    cancel: call('works.cancel'),
  },
  here: {
    backups: call('here.backups'),
    setBackups: call('here.setBackups'),
    usePassphrase: call('here.usePassphrase'),
    contents: call('here.contents'),
    plan: call('here.plan'),
    remove: call('here.remove'),
    pull: call('here.pull'),
    check: call('here.check'),
    exportTo: call('here.exportTo'),
    restore: call('here.restore'),
    restoreParts: call('here.restoreParts'),
    vantage: call('here.vantage'),
    setVantage: call('here.setVantage'),
    tryPanel: call('here.tryPanel'),
    runs: call('here.runs'),
    cancel: call('here.cancel'),
    tasks: call('here.tasks'),
    onTasks: (listener) => on('here.tasks', listener),
  },
  lock: {
    view: call('lock.view'),
    lockNow: call('lock.lockNow'),
    answer: call('lock.answer'),
    set: call('lock.set'),
  },
  shell: {
    useThisComputer: call('shell.useThisComputer'),
    takeFirstCredentials: call('shell.takeFirstCredentials'),
    choices: call('shell.choices'),
    setChoices: call('shell.setChoices'),
    setTheme: call('shell.setTheme'),
    onOpen: (listener) => on('shell.open', listener),
  },
};

contextBridge.exposeInMainWorld('desktop', desktop);
