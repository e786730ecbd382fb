import type { Store } from '../../../store/open-store.ts';
import { renameLink } from '../entries/rename-link.ts';
import { externalLinksOf, type Subscriber } from '../repository.ts';

/** Share links that a client has in addition to its inbounds. */
export interface ExternalEntry {
  client: Subscriber;
  link: string;
}

/**
 * External links of these clients, by client and position; a provider's links replace its address. Providers are
 * fetched in parallel.
 */
export async function externalEntries(
  store: Store,
  remotes: { lines(url: string): Promise<readonly string[]> },
  clients: readonly Subscriber[],
): Promise<ExternalEntry[]> {
  const owners = new Map(
    clients.filter(({ hasExternalLinks }) => hasExternalLinks === 1).map((client) => [client.id, client]),
  );
  if (owners.size === 0) return [];
  const rows = await externalLinksOf(store.reader, [...owners.keys()]);
  const links = await Promise.all(
    rows.map(({ kind, value, remark }) =>
      kind === 'subscription' ? remotes.lines(value) : Promise.resolve([renameLink(value, remark)]),
    ),
  );
  return rows.flatMap(({ clientId }, at) => links[at]!.map((link) => ({ client: owners.get(clientId)!, link })));
}
