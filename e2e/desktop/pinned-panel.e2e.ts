import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { createServer, type Server } from 'node:tls';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeSelfSigned } from '../../src-server/testing/peers/self-signed.ts';
import { makeToken, disposePanel, startPanel, type PanelProcess } from '../harness/panel-process.ts';
import { expectAccessible, firstCredentials } from '../ui/browser.ts';
import { followDownloads, type Taken } from './application/downloads.ts';
import { openDesktop, type Desktop, type Running } from './application/electron.ts';
import { pickFile } from './application/steps.ts';
import { listening, portOf } from '../../src-server/testing/peers/local-server.ts';

let desktop: Desktop;
let remote: PanelProcess;
let running: Running;
let nextDownload: () => Promise<Taken>;
/** The proxy in front of the panel that presents its certificate. */
let door: Server;
let certificate = makeSelfSigned();
const through = new Set<Socket>();
/** Connections on which data was sent to the panel. */
let usedConnections = 0;

beforeAll(async () => {
  [desktop, remote] = await Promise.all([openDesktop(), startPanel()]);
  const { hostname, port } = new URL(remote.url);
  door = createServer({ cert: certificate.certPem, key: certificate.keyPem }, (socket) => {
    const inner = connect(Number(port), hostname);
    through.add(socket);
    socket.once('data', () => (usedConnections += 1));
    for (const end of [socket, inner]) end.on('error', () => undefined);
    socket.pipe(inner).pipe(socket);
    socket.once('close', () => {
      inner.destroy();
      through.delete(socket);
    });
  });
  // A client that does not trust the certificate aborts the handshake.
  door.on('tlsClientError', () => undefined);
  await listening(door);
  running = await desktop.launch();
  nextDownload = await followDownloads(running.app, running.dataDir);
});
afterAll(async () => {
  await desktop?.close();
  for (const socket of through) socket.destroy();
  door?.close();
  await disposePanel(remote);
});

const address = (): string => `https://127.0.0.1:${portOf(door)}${new URL(remote.url).pathname}`;
const fingerprint = (): string =>
  new X509Certificate(certificate.certPem).fingerprint256.replaceAll(':', '').toLowerCase();
const card = (name: string) => running.page.getByRole('article', { name });

it('a self-signed certificate is not trusted until its fingerprint was shown and accepted', async () => {
  const { page } = running;
  await page.getByRole('button', { name: 'Connect to a panel' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a panel' });
  await dialog.getByLabel('Address').fill(address());
  await dialog.getByLabel('Name', { exact: true }).fill('Own certificate');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await card('Own certificate').getByText('certificate not trusted').waitFor();
  expect(usedConnections).toBe(0);

  await card('Own certificate').getByRole('button', { name: 'Edit' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit' });
  await edit.getByRole('combobox', { name: 'Certificate' }).click();
  await page.getByRole('option', { name: 'This certificate only (fingerprint)' }).click();
  await edit.getByRole('button', { name: 'Show what it presents now' }).click();
  await edit.getByText('localhost, valid until').waitFor();
  expect(await edit.getByLabel('Fingerprint (SHA-256)').inputValue()).toBe(fingerprint());
  await expectAccessible(page);
  await edit.getByRole('button', { name: 'Save' }).click();
  await card('Own certificate').getByText('wants a sign-in').waitFor();

  await card('Own certificate').getByRole('button', { name: 'Connect' }).click();
  const prompt = page.getByRole('dialog', { name: 'Sign in to the panel' });
  const { username, password } = firstCredentials(remote);
  await prompt.getByLabel('User name').fill(username);
  await prompt.getByRole('textbox', { name: 'Password' }).fill(password);
  await prompt.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('The core is running').waitFor();
});

it('another certificate is refused before anything is sent to it, and the page says why', async () => {
  const { page } = running;
  certificate = makeSelfSigned();
  door.setSecureContext({ cert: certificate.certPem, key: certificate.keyPem });
  usedConnections = 0;
  for (const socket of through) socket.destroy();
  await page.getByText('The panel does not answer', { exact: true }).waitFor();
  await page.goto('app://panel/panel/groups');
  await page.getByText(`another certificate than the trusted one (SHA-256 ${fingerprint()})`).waitFor();
  await expectAccessible(page);
  await page.goto('app://panel/desktop/connections');
  await card('Own certificate').getByText('certificate not trusted').waitFor();
  expect(usedConnections).toBe(0);
});

it('the list is exported without secrets and imported again', async () => {
  const { page } = running;
  const token = makeToken(remote.dataDir);
  await page.goto('app://panel/desktop/connections?add=');
  const dialog = page.getByRole('dialog', { name: 'Add a panel' });
  await dialog.getByLabel('Address').fill(remote.url);
  await dialog.getByLabel('Name', { exact: true }).fill('By token');
  await dialog.getByRole('combobox', { name: 'Sign in with' }).click();
  await page.getByRole('option', { name: 'API token' }).click();
  await dialog.getByRole('textbox', { name: 'API token' }).fill(token);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await card('By token').getByText('answers', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'Export' }).click();
  const file = await nextDownload();
  expect(file.suggestedFilename()).toBe('connections.json');
  const text = await readFile(await file.path(), 'utf8');
  expect(text).not.toContain(token);
  expect(JSON.parse(text)).toEqual({
    kind: 'switchyard-connections',
    connections: [
      expect.objectContaining({ name: 'Own certificate', trust: { mode: 'pin', fingerprint: expect.any(String) } }),
      { name: 'By token', color: 'orange', address: remote.url, signIn: 'token', trust: { mode: 'verify' } },
    ],
  });

  await card('By token').getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove By token' }).click();
  await card('By token').waitFor({ state: 'detached' });
  const choose = (): Promise<void> => page.getByRole('button', { name: 'Import' }).click();
  await pickFile(page, choose, await file.path());
  await page.getByText('1 panel added').waitFor();
  // Its token was not exported.
  await card('By token').getByText('wants a sign-in').waitFor();
  await pickFile(page, choose, remote.dataDir + '/panel.db');
  await page.getByText('panel.db is not an export of connections.').waitFor();
});
