import { createAddClient } from './add-client.ts';
import { createAdminClient } from './admin-client.ts';
import { createAdminLists } from './admin-lists.ts';
import { createAdminServer } from './admin-server.ts';
import type { Actions, Chat } from './chat.ts';
import { createClientActions } from './client-actions.ts';
import { createManyClients } from './many-clients.ts';
import type { BotTools } from './tools.ts';

/** Buttons that belong to a conversation; any other button ends it. */
const OF_CONVERSATION = /^(add[a-z]+|found|many[a-z]*|tick|tickall)$/;

/** Longest search text, in characters. */
const MAX_SEARCHED = 200;
const searched = (text: string): string => text.trim().slice(0, MAX_SEARCHED).toWellFormed();

/** Handles messages and pressed buttons. Anything not listed for everybody is for admins only. */
export function createChatHandlers(tools: BotTools) {
  const { panel, say, label, conversations } = tools;
  const client = createClientActions(tools);
  const many = createManyClients(tools);
  const lists = createAdminLists(tools, many.begin);
  const adminClient = createAdminClient(tools);
  const addClient = createAddClient(tools, client);
  const forAdmins: Actions = {
    ...lists.actions,
    ...many.actions,
    ...adminClient.actions,
    ...addClient.actions,
    ...createAdminServer(tools),
  };
  const forEverybody = client.actions;

  const home = (chat: Chat): Promise<void> => (chat.isAdmin ? forAdmins['menu']!(chat, []) : client.mine(chat, []));

  async function usage(chat: Chat, text: string): Promise<void> {
    if (!chat.isAdmin) await client.mine(chat, []);
    else if (text === '') await chat.send([say('searchWhat')]);
    else {
      const id = (await panel.idsOf([text])).values().next().value;
      await (id === undefined ? lists.find(chat, searched(text), 1) : adminClient.showCard(chat, id));
    }
  }

  async function start(chat: Chat, payload: string): Promise<void> {
    const { firstName: name } = chat;
    if (payload !== '') {
      const email = await tools.tie(payload, chat.id);
      await chat.send([email === null ? say('linkRefused') : say('linkTied', { email })]);
      if (email === null) return;
    } else
      await chat.send([chat.isAdmin ? say('helloAdmin', { name, host: panel.hostName() }) : say('hello', { name })]);
    await home(chat);
  }

  return {
    /** A pressed button. */
    async pressed(chat: Chat, data: string): Promise<void> {
      const [verb = '', ...args] = data.split(':');
      const table = chat.isAdmin && Object.hasOwn(forAdmins, verb) ? forAdmins : forEverybody;
      const action = Object.hasOwn(table, verb) ? table[verb] : undefined;
      if (action === undefined) {
        chat.notice(label('notAllowed'));
        return;
      }
      if (!OF_CONVERSATION.test(verb)) conversations.end(chat.id);
      await action(chat, args);
    },

    /** A command, without its slash, and its argument. */
    async command(chat: Chat, name: string, text: string): Promise<void> {
      conversations.end(chat.id);
      if (name === 'start') await start(chat, text);
      else if (name === 'help') {
        await chat.send([say('help')]);
        await home(chat);
      } else if (name === 'status') await chat.send([say('ok')]);
      else if (name === 'id') await chat.send([say('yourId', { id: chat.id })]);
      else if (name === 'usage') await usage(chat, text);
      else if (name === 'inbound' && chat.isAdmin) await lists.showInbounds(chat, text);
      else if (name === 'restart' && chat.isAdmin) await forAdmins['restart']!(chat, []);
      else if (name === 'clearall' && chat.isAdmin) await forAdmins['resetall']!(chat, []);
      else await chat.send([say('unknown')]);
    },

    /** Text without a command: the answer to a question, or not understood. */
    async typed(chat: Chat, text: string): Promise<void> {
      const conversation = chat.isAdmin ? conversations.of(chat.id) : null;
      if (conversation?.kind === 'search') await lists.find(chat, searched(text), 1);
      else if (conversation?.kind === 'add') await addClient.typed(chat, conversation, text);
      else if (conversation?.kind === 'quota' || conversation?.kind === 'expiry')
        await adminClient.typedLimit(chat, conversation.kind, conversation.clientId, text);
      else await home(chat);
    },
  };
}
export type ChatHandlers = ReturnType<typeof createChatHandlers>;
