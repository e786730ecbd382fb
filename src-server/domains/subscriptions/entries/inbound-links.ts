import { DomainError } from '../../../contract/domain-error.ts';
import type { Store } from '../../../store/open-store.ts';
import type * as z from 'zod';
import { parseHostEntry } from '../../hosts/host-entry-rules.ts';
import type { createComposer } from '../compose.ts';
import type { linksOfInbound, previewHost } from '../contract.ts';
import { wireguardPeers } from './wireguard-peers.ts';
import type { createLibrary } from '../library.ts';
import type { EntryClient, LinkEngine } from './link-engine-port.ts';
import { subscribersAt } from '../repository.ts';

type InboundLink = z.output<typeof linksOfInbound.result>[number];
type HostPreview = z.output<typeof previewHost.body>;

/** Most clients whose links a page shows for one inbound. */
const SHOWN = 100;

/** Sample client for an inbound that has none yet. */
const INVENTED: EntryClient = {
  id: 0,
  email: 'client',
  subId: '',
  uuid: '00000000-0000-4000-8000-000000000000',
  password: 'password',
  auth: 'password',
  flow: '',
  security: 'auto',
  tgId: 0,
  comment: '',
  createdAtMs: 0,
  enable: 1,
  quotaBytes: 0,
  expiresAtMs: 0,
  resetDays: 0,
  resetDay: 0,
  upBytes: 0,
  downBytes: 0,
  lastOnlineAtMs: 0,
  hasExternalLinks: 0,
  flowOverride: '',
  passwordOverride: '',
};

/** Links of an inbound: of its clients, and of a host that is still being typed. */
export function createInboundLinks(deps: {
  store: Store;
  library: ReturnType<typeof createLibrary>;
  compose: ReturnType<typeof createComposer>;
  engine: LinkEngine;
  clock: () => number;
}) {
  const { store, library, compose, engine, clock } = deps;

  async function firstClientOf(inboundId: number): Promise<EntryClient | null> {
    const [client] = await subscribersAt(store.turnReader, inboundId, 1);
    if (client === undefined) return null;
    const attachment = client.attachments.find((one) => one.inboundId === inboundId);
    return {
      ...client,
      flowOverride: attachment?.flowOverride ?? '',
      passwordOverride: attachment?.passwordOverride ?? '',
    };
  }

  return {
    /** Empty for inbounds whose protocol has no links. */
    async linksOfInbound(inboundId: number, requestName: string): Promise<InboundLink[]> {
      const inbound = (await library.current()).get(inboundId);
      if (inbound?.protocol === 'wireguard')
        return wireguardPeers(inbound, engine.addressOf(inbound, requestName)).map(({ name, ...peer }) => ({
          email: name,
          ...peer,
        }));
      const clients = await subscribersAt(store.turnReader, inboundId, SHOWN);
      const { entries } = await compose(clients, { format: 'raw', isDisplay: true, requestName, withDisabled: true });
      return entries.flatMap((entry) =>
        entry.inboundId === inboundId && typeof entry.content === 'string'
          ? [{ email: entry.client.email, link: entry.content, config: '' }]
          : [],
      );
    },

    /** @throws {DomainError} `host.inboundUnknown` for an inbound that does not exist or has no links; `host.addressInvalid` */
    async previewHost({ inboundId, host: typed, entry }: HostPreview, requestName: string) {
      const { address, port, ...content } = typed;
      const place = entry === undefined ? { address, port } : parseHostEntry(entry, port);
      if (place === null) throw new DomainError('host.addressInvalid', { address: entry ?? '' });
      const inbound = (await library.current()).get(inboundId);
      if (inbound === undefined || inbound.protocol === 'wireguard') throw new DomainError('host.inboundUnknown');
      // The preview shows a link even for a host that is left out of that format.
      const host = { ...content, excludeFromSubTypes: [], ...place };
      const client = await firstClientOf(inboundId);
      const [writer] = engine.writers({ ...inbound, hosts: [host] }, 'raw', requestName);
      const piece = writer?.write(client ?? INVENTED, 'display', clock());
      const isLink = piece !== undefined && 'content' in piece && typeof piece.content === 'string';
      return {
        link: isLink ? (piece.content as string) : '',
        reason: piece !== undefined && 'reason' in piece ? piece.reason : '',
        email: client?.email ?? '',
      };
    },
  };
}
