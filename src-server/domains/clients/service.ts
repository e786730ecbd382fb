import type { Basics } from '../basics.ts';
import type { Subscribe } from '../../contract/events.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { JobService } from '../jobs/service.ts';
import { createAdd } from './verbs/add.ts';
import { createAttach, createDetach } from './verbs/attach.ts';
import { createBulkAdjust } from './bulk/bulk-adjust.ts';
import { createBulkAttach, createBulkDetach } from './bulk/bulk-attach.ts';
import { createBulkCreate, createImport } from './bulk/bulk-create.ts';
import { createBulkPlan } from './bulk/bulk-plan.ts';
import { createBulkRemove, createRemoveMatching } from './bulk/bulk-remove.ts';
import { createBulkReset } from './bulk/bulk-reset.ts';
import { createBulkSwitch } from './bulk/bulk-switch.ts';
import { createChangeRunner } from './bulk/change-runner.ts';
import { createExport } from './bulk/export.ts';
import { createInboundClients } from './inbound-clients.ts';
import { createSetExternalLinks } from './rules/external-links.ts';
import { createClientSearch } from './list/search/client-search.ts';
import type { NearLimits } from './list/near-limits.ts';
import { createOrderings } from './list/orderings.ts';
import { createPagedList } from './list/paged-list.ts';
import { createPeerTotals } from './peers/peer-totals.ts';
import { createReads } from './verbs/read.ts';
import { createRemove } from './verbs/remove.ts';
import { countUsed, createReset, createResetAll, createSetTraffic } from './verbs/reset.ts';
import type { SessionPort } from './verbs/session-port.ts';
import { createSummary } from './list/summary.ts';
import type { ClientTrafficPort } from './traffic-port.ts';
import { createRename } from './verbs/rename.ts';
import { createUpdate } from './verbs/update.ts';

export interface ClientServiceDeps extends Pick<Basics, 'store' | 'clock' | 'publish'> {
  runtime: Runtime;
  traffic: ClientTrafficPort;
  sessions: SessionPort;
  /** Where work on many clients is followed. */
  jobs: Pick<JobService, 'start'>;
  /** Tags of inbounds that moved bytes within 20 s, by the GUID of the panel whose core serves them. */
  activeInbounds: () => Record<string, string[]>;
  /** Settings that say when a client counts as expiring, asked for every list. */
  nearLimits: () => NearLimits | Promise<NearLimits>;
  /** A panel manages this one, and these manage that one. */
  noteMaster?: (masterGuid: string, above: readonly string[]) => void;
  /** Told the folded e-mails of new clients. Those of an import have been clients before, and are not among them. */
  onCreated?: (keys: readonly string[]) => void;
  /** How changes of clients made by other domains are heard of. */
  subscribe: Subscribe;
  /** Something behind a request's back failed. */
  onError: (error: unknown) => void;
}

/** Every verb of the clients domain, each in a file of its own. */
export function createClientService(deps: ClientServiceDeps) {
  const { store, runtime, traffic, nearLimits, clock, onError, onCreated = () => {} } = deps;
  const summary = createSummary(store, () => traffic.onlineEmails());
  const orderings = createOrderings(store, onError);
  const search = createClientSearch({ store, clock });
  function forget(): void {
    summary.forget();
    orderings.forget();
  }
  deps.subscribe((event) => {
    if (event.type === 'invalidate' && event.resource === 'clients') forget();
  });
  const run = createChangeRunner({
    store,
    runtime,
    sessions: deps.sessions,
    publish: deps.publish,
  });
  return {
    ...createReads(store, traffic),
    /** To be called now and then: unused memory is given back. */
    rest: () => search.rest(),
    page: createPagedList({ store, summary, search, orderings, nearLimits, clock }),
    add: createAdd(run, traffic, clock, onCreated),
    update: createUpdate(run, traffic, clock),
    rename: createRename(run, traffic, clock),
    remove: createRemove(run, traffic, clock),
    attach: createAttach(run, traffic, clock),
    detach: createDetach(run, traffic, clock),
    reset: createReset(run, { traffic, clock }),
    resetAll: createResetAll(run, { traffic, clock }),
    countUsed: () => countUsed(store.heavyReader, clock()),
    setTraffic: createSetTraffic(run, { traffic, clock }),
    bulkCreate: createBulkCreate({ run, traffic, clock, onCreated }),
    bulkAdjust: createBulkAdjust(run, traffic, clock),
    bulkSwitch: createBulkSwitch(run, clock),
    bulkRemove: createBulkRemove(run, traffic, clock),
    bulkAttach: createBulkAttach(run, traffic, clock),
    bulkDetach: createBulkDetach(run, traffic, clock),
    bulkReset: createBulkReset(run, traffic, clock),
    ...createBulkPlan({ run, store, traffic, clock }),
    ...createRemoveMatching({ run, heavyReader: store.heavyReader, traffic, clock }),
    setExternalLinks: createSetExternalLinks(run, clock),
    activeInbounds: deps.activeInbounds,
    noteMaster: deps.noteMaster ?? (() => {}),
    peers: createPeerTotals({ store, clock, onChanged: forget }),
    exported: createExport(store),
    import: createImport({ run, store, traffic, clock }),
    /** `settings.clients` for the inbounds domain. */
    inboundClients: createInboundClients({ store, run, traffic, jobs: deps.jobs, clock, onChanged: forget }),
    /** For changes of clients outside this domain that no event announces. */
    clientsChanged: forget,
  };
}
export type ClientService = ReturnType<typeof createClientService>;
