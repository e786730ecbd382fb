import { DomainError } from '../../../contract/domain-error.ts';
import { foldText } from '../../../store/fold-text.ts';
import type { Store } from '../../../store/open-store.ts';
import type { createComposer } from '../compose.ts';
import type { LeftOut } from '../contract.ts';
import {
  subscriberByKey,
  subscribersAfter,
  subscribersOf,
  type AttachedSubscriber,
  type Subscriber,
} from '../repository.ts';
import type { Content, LinkFormat } from './link-engine-port.ts';

/** Clients read per batch when listing all links. */
const PAGE = 500;
const FORMATS: readonly LinkFormat[] = ['raw', 'json', 'yaml'];

/** Share links are text. */
export const textOf = (content: Content): string => (typeof content === 'string' ? content : '');
export const isEnabled = ({ enable }: Subscriber): boolean => enable === 1;

/** Share links for the panel: of a client, of a subscription, of everybody. */
export function createClientLinks({ store, compose }: { store: Store; compose: ReturnType<typeof createComposer> }) {
  async function byEmail(email: string): Promise<AttachedSubscriber> {
    const client = await subscriberByKey(store.turnReader, foldText(email));
    if (client === undefined) throw new DomainError('client.notFound');
    return client;
  }

  const displayed = async (
    clients: readonly AttachedSubscriber[],
    requestName: string,
    withDisabled: boolean,
  ): Promise<string[]> =>
    (await compose(clients, { format: 'raw', isDisplay: true, requestName, withDisabled })).entries.map(({ content }) =>
      textOf(content),
    );

  async function* everyLink(requestName: string): AsyncGenerator<string[]> {
    for (let lastId = 0; ;) {
      const clients = await subscribersAfter(store.turnReader, lastId, PAGE);
      if (clients.length === 0) return;
      lastId = clients.at(-1)!.id;
      yield await displayed(clients, requestName, true);
    }
  }

  return {
    /** @throws {DomainError} `client.notFound` */
    linksOfClient: async (email: string, requestName: string): Promise<string[]> =>
      displayed([await byEmail(email)], requestName, true),

    linksOfSubscription: async (subId: string, requestName: string): Promise<string[]> =>
      displayed((await subscribersOf(store.turnReader, subId)).filter(isEnabled), requestName, false),

    everyLink,

    /** @throws {DomainError} `client.notFound` */
    async leftOut(email: string, requestName: string): Promise<LeftOut[]> {
      const client = await byEmail(email);
      const found = await Promise.all(
        FORMATS.map((format) => compose([client], { format, isDisplay: true, requestName })),
      );
      return found.flatMap(({ leftOut }) => leftOut);
    },
  };
}
