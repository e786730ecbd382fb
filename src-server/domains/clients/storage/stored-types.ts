import type { Selectable } from 'kysely';
import type { ClientStateTable, Row, Schema } from '../../../store/schema.ts';

/** Columns of a state that nothing but their own statements read. */
type Apart = 'clientId' | 'inboundCount' | 'peerTotalBytes' | 'lastSubFetchAtMs' | 'resetUpBytes' | 'resetDownBytes';

/** A client's identity and state as stored. */
export type StoredClient = Omit<Row<'clients'>, 'searchKey'> & Omit<Selectable<ClientStateTable>, Apart>;

/** An attachment as stored. */
export type StoredLink = Omit<Schema['clientInbounds'], 'createdAtMs'>;

/** Counters of an e-mail without a client. */
export type KeptTraffic = Schema['keptTraffics'];
