import { createLine } from '../../concurrency.ts';
import type { Logger } from '../../contract/logger.ts';
import { clientOfPayload, isOwnPayload, linkPayload } from './deep-link.ts';
import type { BotPanel } from './panel-port.ts';

export interface TieDeps {
  panel: Pick<BotPanel, 'clientById' | 'change'>;
  /** Signs what this panel has made. */
  secret: () => Promise<string>;
  /** Payloads that were used and have not expired: a client that is untied looks as it did before. */
  used: { read: () => Promise<string>; write: (text: string) => Promise<void> };
  /** Name of the bot; empty until it is known. */
  username: () => string;
  clock: () => number;
  log: Logger;
}

/** Makes and redeems links that tie a chat to a client. */
export function createTies({ panel, secret, used, username, clock, log }: TieDeps) {
  const inTurn = createLine();
  return {
    /** Null until the bot knows its name. */
    async link(clientId: number, tgId: number): Promise<{ link: string; expiresAtMs: number } | null> {
      const name = username();
      if (name === '') return null;
      const { payload, expiresAtMs } = linkPayload(await secret(), { clientId, tgId }, clock());
      return { link: `https://t.me/${name}?start=${payload}`, expiresAtMs };
    },

    /** Serialised: of two people who open one link at the same time, one wins. @returns the client's e-mail, or null */
    use: (payload: string, chatId: number): Promise<string | null> =>
      inTurn(async () => {
        const nowMs = clock();
        const id = clientOfPayload(payload, nowMs);
        const client = id === null ? null : await panel.clientById(id);
        if (client === null || !isOwnPayload(await secret(), payload, client.record.tgId)) return null;
        // There are many ways to write the same bytes.
        const own = Buffer.from(payload, 'base64url').toString('base64url');
        const before = (await used.read()).split(' ').filter((each) => clientOfPayload(each, nowMs) !== null);
        if (before.includes(own)) return null;
        await panel.change(client.record.recordId, { tgId: chatId });
        await used.write([...before, own].join(' '));
        log.info('bot.clientTied', { client: client.record.recordId, chat: chatId });
        return client.record.email;
      }),
  };
}
