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
import { createRestored } from './restored.ts';
import { createRename } from './verbs/rename.ts';
import { createUpdate } from './verbs/update.ts';

export interface ClientServiceDeps extends Pick<Basics, 'store' | 'clock' | 'publish'> {
  runtime: Runtime;
  traffic: ClientTrafficPort;
  sessions: SessionPort;
  /** Jobs for work on many clients. */
  jobs: Pick<JobService, 'start'>;
  /** Tags of inbounds with traffic within 20 s, by the GUID of the panel whose core serves them. */
  activeInbounds: () => Record<string, string[]>;
  /** Settings that define when a client counts as expiring, read for every list. */
  nearLimits: () => NearLimits | Promise<NearLimits>;
  /** Records that a panel manages this one, and `above` manage that one. */
  noteMaster: (masterGuid: string, above: readonly string[]) => void;
  /** Receives the folded e-mails of new clients. Imported clients existed before and are not included. */
  onCreated: (keys: readonly string[]) => void;
  /** Announces changes of clients made by other domains. */
  subscribe: Subscribe;
  /** Reports a failure in the background. */
  onError: (error: unknown) => void;
}

/** All verbs of the clients domain, one file each. */
export function createClientService(deps: ClientServiceDeps) {
  const { store, runtime, traffic, nearLimits, clock, onError, onCreated } = deps;
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
    /** Call it periodically: it releases unused memory. */
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
    noteMaster: deps.noteMaster,
    peers: createPeerTotals({ store, clock, onChanged: forget }),
    exported: createExport(store),
    import: createImport({ run, store, traffic, clock }),
    /** `settings.clients` for the inbounds domain. */
    inboundClients: createInboundClients({ store, run, traffic, jobs: deps.jobs, clock, onChanged: forget }),
    restored: createRestored(traffic, clock),
    /** For changes of clients outside this domain that no event announces. */
    clientsChanged: forget,
  };
}
export type ClientService = ReturnType<typeof createClientService>;
