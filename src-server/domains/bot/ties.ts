import { createLine } from '../../concurrency.ts';
import type { Logger } from '../../contract/logger.ts';
import { clientOfPayload, isOwnPayload, linkPayload } from './deep-link.ts';
import type { BotPanel } from './panel-port.ts';

export interface TieDeps {
  panel: Pick<BotPanel, 'clientById' | 'change'>;
  /** Marks what this panel has made. */
  secret: () => Promise<string>;
  /** Name of the bot; empty while it is not known. */
  username: () => string;
  clock: () => number;
  log: Logger;
}

/** Links that tie a chat to a client, and what becomes of them. */
export function createTies({ panel, secret, username, clock, log }: TieDeps) {
  const inTurn = createLine();
  return {
    /** Null while the bot does not know its own name. */
    async link(clientId: number, tgId: number): Promise<{ link: string; expiresAtMs: number } | null> {
      const name = username();
      if (name === '') return null;
      const { payload, expiresAtMs } = linkPayload(await secret(), { clientId, tgId }, clock());
      return { link: `https://t.me/${name}?start=${payload}`, expiresAtMs };
    },

    /** In turn: of two that open one link at the same time, one comes first. @returns the client's e-mail, or null */
    use: (payload: string, chatId: number): Promise<string | null> =>
      inTurn(async () => {
        const id = clientOfPayload(payload, clock());
        const client = id === null ? null : await panel.clientById(id);
        if (client === null || !isOwnPayload(await secret(), payload, client.record.tgId)) return null;
        await panel.change(client.record.recordId, { tgId: chatId });
        log.info('bot.clientTied', { client: client.record.recordId, chat: chatId });
        return client.record.email;
      }),
  };
}
