import { CompiledQuery, type Kysely } from 'kysely';
import { DomainError } from '../contract/domain-error.ts';
import * as foundation from './migrations/0010-foundation.ts';
import * as clients from './migrations/0020-clients.ts';
import * as traffic from './migrations/0030-traffic.ts';
import * as clientScale from './migrations/0040-client-scale.ts';
import * as clientAddresses from './migrations/0050-client-addresses.ts';
import * as hosts from './migrations/0060-hosts.ts';
import * as metricSamples from './migrations/0080-metric-samples.ts';
import * as subscriptions from './migrations/0090-subscriptions.ts';
import * as outboundSubs from './migrations/0100-outbound-subs.ts';
import * as clientEnforcement from './migrations/0110-client-enforcement.ts';
import * as counterPages from './migrations/0120-counter-pages.ts';
import * as nodes from './migrations/0140-nodes.ts';
import * as clientSearch from './migrations/0150-client-search.ts';
import * as nodeRefusals from './migrations/0160-node-refusals.ts';
import * as events from './migrations/0170-events.ts';
import * as nodePlans from './migrations/0180-node-plans.ts';
import * as nodeDrift from './migrations/0190-node-drift.ts';
import * as nodeVersions from './migrations/0200-node-versions.ts';
import * as clientTelegram from './migrations/0210-client-telegram.ts';
import * as clientMailStops from './migrations/0240-client-mail-stops.ts';
import * as certificates from './migrations/0270-certificates.ts';
import * as enrolment from './migrations/0280-enrolment.ts';
import * as trafficTotals from './migrations/0290-traffic-totals.ts';
import * as savedViews from './migrations/0291-saved-views.ts';
import * as journal from './migrations/0295-journal.ts';
import * as clientPlans from './migrations/0320-client-plans.ts';
import * as certificateAsked from './migrations/0340-certificate-asked.ts';
import * as masterMoves from './migrations/0341-master-moves.ts';
import * as panelServers from './migrations/0400-panel-servers.ts';
import * as listsOnServer from './migrations/0420-lists-on-a-server.ts';
import * as servedBy from './migrations/0430-served-by.ts';
import * as ledgerByMonth from './migrations/0440-ledger-by-month.ts';
import * as baselinesInRows from './migrations/0450-baselines-in-rows.ts';
import * as roomInPages from './migrations/0460-room-in-pages.ts';
import * as searchKeysAtOnce from './migrations/0470-search-keys-at-once.ts';
import * as suspendedDeletions from './migrations/0480-suspended-deletions.ts';
import * as nodePlaces from './migrations/0490-node-places.ts';
import * as resetsOfNodes from './migrations/0500-resets-of-nodes.ts';
import * as lifetimeCounters from './migrations/0510-lifetime-counters.ts';

interface Migration {
  /** Number of the file; stored in the database as its version. */
  version: number;
  up(db: Kysely<unknown>): Promise<void>;
}

/** In order. A released file is never edited; the next change is a new number. */
const MIGRATIONS: readonly Migration[] = [
  { version: 10, up: foundation.up },
  { version: 20, up: clients.up },
  { version: 30, up: traffic.up },
  { version: 40, up: clientScale.up },
  { version: 50, up: clientAddresses.up },
  { version: 60, up: hosts.up },
  { version: 80, up: metricSamples.up },
  { version: 90, up: subscriptions.up },
  { version: 100, up: outboundSubs.up },
  { version: 110, up: clientEnforcement.up },
  { version: 120, up: counterPages.up },
  { version: 140, up: nodes.up },
  { version: 150, up: clientSearch.up },
  { version: 160, up: nodeRefusals.up },
  { version: 170, up: events.up },
  { version: 180, up: nodePlans.up },
  { version: 190, up: nodeDrift.up },
  { version: 200, up: nodeVersions.up },
  { version: 210, up: clientTelegram.up },
  { version: 240, up: clientMailStops.up },
  { version: 270, up: certificates.up },
  { version: 280, up: enrolment.up },
  { version: 290, up: trafficTotals.up },
  { version: 291, up: savedViews.up },
  { version: 295, up: journal.up },
  { version: 320, up: clientPlans.up },
  { version: 340, up: certificateAsked.up },
  { version: 341, up: masterMoves.up },
  { version: 400, up: panelServers.up },
  { version: 420, up: listsOnServer.up },
  { version: 430, up: servedBy.up },
  { version: 440, up: ledgerByMonth.up },
  { version: 450, up: baselinesInRows.up },
  { version: 460, up: roomInPages.up },
  { version: 470, up: searchKeysAtOnce.up },
  { version: 480, up: suspendedDeletions.up },
  { version: 490, up: nodePlaces.up },
  { version: 500, up: resetsOfNodes.up },
  { version: 510, up: lifetimeCounters.up },
];

export const LATEST_VERSION = MIGRATIONS.at(-1)!.version;

/** Whether a panel of this product ever had this schema. */
export const isKnownVersion = (version: number): boolean => MIGRATIONS.some((one) => one.version === version);

/** Where a database keeps its schema version; 0 = it is empty. */
export interface VersionPlace {
  read(db: Kysely<unknown>): Promise<number>;
  write(db: Kysely<unknown>, version: number): Promise<void>;
}

const IN_FILE: VersionPlace = {
  async read(db) {
    const { rows } = await db.executeQuery<{ user_version: number }>(CompiledQuery.raw('PRAGMA user_version'));
    return rows[0]?.user_version ?? 0;
  },
  write: async (db, version) => void (await db.executeQuery(CompiledQuery.raw(`PRAGMA user_version = ${version}`))),
};

/** Version of the schema in this file; 0 = empty database. */
export const schemaVersion = (db: Kysely<unknown>): Promise<number> => IN_FILE.read(db);

interface MigrateOptions {
  /** Runs once when there is something to do and the database is not empty: the time for a backup. */
  beforeFirst?: (fromVersion: number) => Promise<void>;
  /** Runs after each step of a database that was not empty. */
  afterStep?: () => Promise<void>;
  /** Stops at this version: a released one, when older rows are to be inserted first. */
  upTo?: number | undefined;
  place?: VersionPlace;
}

/**
 * Brings the schema to the latest version, each step in its own transaction with its version number.
 * @throws {DomainError} `store.newerVersion` when a newer panel wrote this database.
 */
export async function migrate(
  db: Kysely<unknown>,
  { beforeFirst, afterStep, upTo = LATEST_VERSION, place = IN_FILE }: MigrateOptions = {},
): Promise<void> {
  const current = await refuseNewer(db, place);
  const due = MIGRATIONS.filter(({ version }) => version > current && version <= upTo);
  if (due.length > 0 && current > 0) await beforeFirst?.(current);
  for (const migration of due) {
    await db.transaction().execute(async (trx) => {
      await migration.up(trx);
      await place.write(trx, migration.version);
    });
    if (current > 0) await afterStep?.();
  }
}

/**
 * @returns the version found
 * @throws {DomainError} `store.newerVersion` when a newer panel wrote this database
 */
export async function refuseNewer(db: Kysely<unknown>, place: VersionPlace): Promise<number> {
  const found = await place.read(db);
  if (found > LATEST_VERSION) throw new DomainError('store.newerVersion', { found, known: LATEST_VERSION });
  return found;
}

/** @throws {DomainError} `store.otherVersion` when the schema is not exactly the one this program knows. */
export async function requireOwnVersion(db: Kysely<unknown>, place = IN_FILE): Promise<void> {
  const found = await place.read(db);
  if (found !== LATEST_VERSION) throw new DomainError('store.otherVersion', { found, known: LATEST_VERSION });
}
