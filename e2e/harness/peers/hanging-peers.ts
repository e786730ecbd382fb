import { createServer, type Socket } from 'node:net';
import { BOT_TOKEN } from '../../../src-server/testing/bot-api/bot-api-peer.ts';
import type { Api } from '../api.ts';
import { waitFor } from '../wait-for.ts';
import { listening, portOf, shut } from '../../../src-server/testing/peers/local-server.ts';

/** A server that accepts every connection and never answers. */
async function hangingPeer() {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket)).on('error', () => {});
    socket.resume();
  });
  await listening(server);
  return {
    port: portOf(server),
    /** Connections that wait for a response now. */
    waiting: () => open.size,
    async close(): Promise<void> {
      for (const socket of open) socket.destroy();
      await shut(server);
    },
  };
}

/** A bot API, a mail server, a directory and a webhook target, none of which ever answers. */
export async function hangingPeers() {
  const [bot, mail, directory, hook] = await Promise.all(Array.from({ length: 4 }, hangingPeer));
  const peers = { bot: bot!, mail: mail!, directory: directory!, hook: hook! };
  return {
    /** Peers that the panel is waiting for now. */
    hangingAt: (): string[] =>
      Object.entries(peers)
        .filter(([, { waiting }]) => waiting() > 0)
        .map(([name]) => name),
    /** Makes the panel contact all of them, with each refused sign-in and each second. */
    async connect(api: Api, inboundTag: string): Promise<void> {
      const local = (port: number): string => `http://127.0.0.1:${port}/`;
      await api.post('/panel/api/webhooks/save', {
        name: 'hanging',
        url: local(peers.hook.port),
        kinds: ['login.attempt'],
        allowPrivate: true,
      });
      await api.post('/panel/api/setting/update', {
        tgBotEnable: true,
        tgBotToken: BOT_TOKEN,
        tgBotAPIServer: local(peers.bot.port),
        tgBotAllowPrivate: true,
        tgBotChatId: '11',
        tgEnabledEvents: 'login.attempt',
        smtpEnable: true,
        smtpHost: '127.0.0.1',
        smtpPort: peers.mail.port,
        smtpEncryptionType: 'none',
        smtpAllowPrivate: true,
        smtpFrom: 'panel@example.com',
        smtpTo: 'admin@example.com',
        smtpEnabledEvents: 'login.attempt',
        ldapEnable: true,
        ldapHost: '127.0.0.1',
        ldapPort: peers.directory.port,
        ldapAllowPrivate: true,
        ldapBaseDN: 'dc=example,dc=org',
        ldapInboundTags: inboundTag,
        ldapSyncCron: '@every 1s',
      });
    },
    /** Waits until the panel is waiting for each of them at the same time. */
    allHang: (): Promise<true> =>
      waitFor(
        'all of them to hang',
        () => Object.values(peers).every(({ waiting }) => waiting() > 0) || undefined,
        60_000,
      ),
    async close(): Promise<void> {
      await Promise.all(Object.values(peers).map((peer) => peer.close()));
    },
  };
}
