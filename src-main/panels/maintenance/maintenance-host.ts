import type { ServerProcess, ServerRuntime } from '../../supervisor/server-runtime.ts';
import type { BackupKey } from '../backups/sealed-file.ts';
import type { PanelTarget } from '../messages.ts';
import type { FromMaintenance, Requests, ToMaintenance, MaintenanceRequest, MaintenanceVerb } from './messages.ts';

/** With nothing to do the process ends after this time, which frees its memory. */
const REST_MS = 90_000;

interface HostDeps {
  runtime: ServerRuntime<FromMaintenance, ToMaintenance>;
  /** Start message of the process. */
  opening: () => Promise<Extract<ToMaintenance, { type: 'open' }>>;
  key: () => Promise<BackupKey | null>;
  targets: () => Promise<PanelTarget[]>;
  /** False while data exists only in the process's memory. */
  mayRest: () => boolean;
}

interface OpenRequest {
  succeed: (value: unknown) => void;
  fail: (error: Error) => void;
  onProgress: (done: number, total: number) => void;
}

/** Runs the process for long jobs on panels while there are jobs. */
export interface MaintenanceHost {
  /** @throws {Error} with the reason, also when it is cancelled or the process ends */
  request<V extends MaintenanceVerb>(
    verb: V,
    params: Requests[V]['params'],
    options?: { signal?: AbortSignal; onProgress?: (done: number, total: number) => void },
  ): Promise<Requests[V]['result']>;
  /** The keys of the backups changed. */
  keyChanged(): Promise<void>;
  close(): void;
}

export function createMaintenanceHost({ runtime, opening, key, targets, mayRest }: HostDeps): MaintenanceHost {
  let child: ServerProcess<ToMaintenance> | null = null;
  let isReady: Promise<void> | null = null;
  let lastId = 0;
  let resting: NodeJS.Timeout | undefined;
  let isClosed = false;
  const requests = new Map<number, OpenRequest>();

  function start(): Promise<void> {
    if (isClosed) return Promise.reject(new Error('the application ends'));
    return (isReady ??= new Promise((resolve, reject) => {
      const running = runtime.start([], {
        onLine: () => undefined,
        onMessage(message) {
          if (child !== running) return;
          if (message.type === 'ready') setUp(running).then(resolve, reject);
          else take(message);
        },
        onExit() {
          if (child === running) ended();
          reject(new Error('the process for work on panels ended'));
        },
      });
      child = running;
    }));
  }

  async function setUp(mine: ServerProcess<ToMaintenance>): Promise<void> {
    mine.send(await opening());
    mine.send({ type: 'key', key: await key() });
  }

  function ended(): void {
    child = null;
    isReady = null;
    clearTimeout(resting);
    for (const { fail } of requests.values()) fail(new Error('the process for work on panels ended'));
    requests.clear();
  }

  function take(message: Exclude<FromMaintenance, { type: 'ready' }>): void {
    const request = requests.get(message.id);
    if (message.type === 'progress') return request?.onProgress(message.done, message.total);
    requests.delete(message.id);
    if (message.type === 'response') request?.succeed(message.result);
    else request?.fail(new Error(message.words));
    if (requests.size === 0 && mayRest()) resting = setTimeout(stop, REST_MS);
  }

  function stop(): void {
    clearTimeout(resting);
    const stopped = child;
    ended();
    stopped?.send({ type: 'stop' });
  }

  return {
    async request(verb, params, { signal, onProgress = () => undefined } = {}) {
      clearTimeout(resting);
      await start();
      const listed = await targets();
      signal?.throwIfAborted();
      const running = child;
      if (running === null) throw new Error('the process for work on panels ended');
      const id = (lastId += 1);
      return new Promise<never>((resolve, reject) => {
        requests.set(id, { succeed: resolve as (value: unknown) => void, fail: reject, onProgress });
        clearTimeout(resting);
        // Connections change seldom and tasks are few: each starts with the current list.
        running.send({ type: 'targets', targets: listed });
        running.send({ type: 'request', id, request: { verb, params } as MaintenanceRequest });
        signal?.addEventListener('abort', () => running.send({ type: 'cancel', id }), { once: true });
      });
    },
    async keyChanged() {
      if (child !== null) child.send({ type: 'key', key: await key() });
    },
    close() {
      isClosed = true;
      stop();
    },
  };
}
