import type { Publish, Subscribe } from '../../contract/events.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Store } from '../../store/open-store.ts';
import type { JobService } from '../jobs/service.ts';
import { createAdd } from './add.ts';
import { createAttach, createDetach } from './attach.ts';
import { createBulkAdjust } from './bulk-adjust.ts';
import { createBulkAttach, createBulkDetach } from './bulk-attach.ts';
import { createBulkCreate, createImport } from './bulk-create.ts';
import { createBulkRemove, createRemoveMatching } from './bulk-remove.ts';
import { createBulkReset } from './bulk-reset.ts';
import { createBulkSwitch } from './bulk-switch.ts';
import { createChangeRunner } from './change-runner.ts';
import { createExport } from './export.ts';
import { createInboundClients } from './inbound-clients.ts';
import { createSetExternalLinks } from './external-links.ts';
import { createClientSearch } from './client-search.ts';
import type { NearLimits } from './near-limits.ts';
import { createOrderings } from './orderings.ts';
import { createPagedList } from './paged-list.ts';
import { createPeerTotals } from './peer-totals.ts';
import { createReads } from './read.ts';
import { createRemove } from './remove.ts';
import { countUsed, createReset, createResetAll, createSetTraffic } from './reset.ts';
import type { SessionPort } from './session-port.ts';
import { createSummary } from './summary.ts';
import type { ClientTrafficPort } from './traffic-port.ts';
import { createUpdate } from './update.ts';

export interface ClientServiceDeps {
  store: Store;
  runtime: Runtime;
  traffic: ClientTrafficPort;
  sessions: SessionPort;
  /** Where work on many clients is followed. */
  jobs: Pick<JobService, 'start'>;
  /** Tags of inbounds that moved bytes within 20 s, by the GUID of the panel whose core serves them. */
  activeInbounds: () => Record<string, string[]>;
  /** Settings `expireDiff` and `trafficDiff`, asked for every list. */
  nearLimits: () => NearLimits | Promise<NearLimits>;
  clock: () => number;
  publish: Publish;
  /** How changes of clients made by other domains are heard of. */
  subscribe: Subscribe;
  /** Something behind a request's back failed. */
  onError: (error: unknown) => void;
}

/** Every verb of the clients domain, each in a file of its own. */
export function createClientService(deps: ClientServiceDeps) {
  const { store, runtime, traffic, nearLimits, clock, onError } = deps;
  const summary = createSummary({ store, onlineEmails: () => traffic.onlineEmails(), onError });
  const orderings = createOrderings(store, onError);
  const search = createClientSearch({ store, clock });
  const { publishOwn } = listenToOthers(deps, () => {
    summary.touchAll();
    orderings.forget();
  });
  function noteChanged(clientIds: Iterable<number>): void {
    summary.touch(clientIds);
    orderings.forget();
  }
  const run = createChangeRunner({
    store,
    runtime,
    sessions: deps.sessions,
    publish: publishOwn,
    onChanged: noteChanged,
  });
  return {
    ...createReads(store, traffic),
    /** To be called now and then: memory that nobody uses is given back. */
    rest: () => search.rest(),
    page: createPagedList({ store, summary, search, orderings, nearLimits, clock }),
    add: createAdd(run, traffic, clock),
    update: createUpdate(run, traffic, clock),
    remove: createRemove(run, traffic, clock),
    attach: createAttach(run, traffic, clock),
    detach: createDetach(run, traffic, clock),
    reset: createReset(run, { traffic, clock }),
    resetAll: createResetAll(run, { traffic, clock }),
    countUsed: () => countUsed(store.heavyReader),
    setTraffic: createSetTraffic(run, { traffic, clock }),
    bulkCreate: createBulkCreate({ run, traffic, clock }),
    bulkAdjust: createBulkAdjust(run, traffic, clock),
    bulkSwitch: createBulkSwitch(run, clock),
    bulkRemove: createBulkRemove(run, traffic, clock),
    bulkAttach: createBulkAttach(run, traffic, clock),
    bulkDetach: createBulkDetach(run, traffic, clock),
    bulkReset: createBulkReset(run, traffic, clock),
    ...createRemoveMatching({ run, heavyReader: store.heavyReader, traffic, clock }),
    setExternalLinks: createSetExternalLinks(run, clock),
    activeInbounds: deps.activeInbounds,
    peers: createPeerTotals({ store, clock, onChanged: noteChanged }),
    exported: createExport(store),
    import: createImport({ run, store, traffic, clock }),
    /** `settings.clients` for the inbounds domain. */
    inboundClients: createInboundClients({ store, run, traffic, jobs: deps.jobs, clock, onChanged: noteChanged }),
    /**
     * For whoever changes clients or their states outside this domain and knows which: cheaper for the list's summary than
     * the event alone, after which it looks at everybody.
     */
    clientsChanged: noteChanged,
  };
}
/** Others announce changes of clients by the event alone; our own carry ids, and need no look at everybody. */
function listenToOthers({ publish, subscribe }: ClientServiceDeps, onOthers: () => void): { publishOwn: Publish } {
  let isOwn = false;
  subscribe((event) => {
    if (!isOwn && event.type === 'invalidate' && event.resource === 'clients') onOthers();
  });
  return {
    publishOwn(event) {
      isOwn = true;
      try {
        publish(event);
      } finally {
        isOwn = false;
      }
    },
  };
}
export type ClientService = ReturnType<typeof createClientService>;
