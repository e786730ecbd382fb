import { randomBytes } from 'node:crypto';
import { inboundOf, type KeyPair, type Recipe, type RecipeForm } from '../../../src-renderer/pages/inbounds/recipes.ts';
import { freePort } from '../../../src-server/testing/free-port.ts';
import { makeCertificate, type TestCertificate } from '../certificate.ts';
import { allowPrivateEgress } from '../open-egress.ts';
import { disposePanel, startPanel, type PanelProcess } from '../panel-process.ts';
import { startTargetServer, startTlsSite, type TargetServer } from '../target-server.ts';
import type { Credentials, InboundKind, KindContext } from './inbound-kinds.ts';

type Json = Record<string, unknown>;
export type Client = Credentials & { subId: string };
export interface InboundRow {
  id: number;
  tag: string;
  up: number;
  down: number;
}

/** Maps to the site: WireGuard carries packets, but none to loopback. */
export const FAR = '203.0.113.80';

/** A panel, and what its inbounds need to be reached by real clients. */
export interface TestBed {
  panel: PanelProcess;
  /** The site that clients fetch from. */
  site: TargetServer;
  certificate: TestCertificate;
  /** Port of the site that REALITY imitates. */
  tlsSitePort: number;
  reality: KeyPair;
  close(): Promise<void>;
}

/** @param settings of the panel */
export async function openTestBed(settings: Json): Promise<TestBed> {
  const panel = await startPanel();
  const site = await startTargetServer();
  const certificate = await makeCertificate(panel.dataDir);
  const tlsSite = await startTlsSite(certificate);
  await allowPrivateEgress(panel.api, { address: FAR, leadsTo: new URL(site.url).host });
  await panel.api.post('/panel/api/setting/update', { subDomain: '', ...settings });
  return {
    panel,
    site,
    certificate,
    tlsSitePort: tlsSite.port,
    reality: await newPair(panel),
    close: async () => void (await Promise.all([disposePanel(panel), site.close(), tlsSite.close()])),
  };
}

const newPair = ({ api }: PanelProcess): Promise<KeyPair> => api.get('/panel/api/server/getNewX25519Cert');

/** Adds an inbound of a kind, with all that its links need. @param ofReality further settings of REALITY */
export async function addKind(
  bed: TestBed,
  kind: Pick<InboundKind, 'name' | 'protocol' | 'settings' | 'stream'>,
  ofReality: Json = {},
) {
  const { panel, certificate, tlsSitePort: realityTargetPort, reality } = bed;
  const context: KindContext = { port: await freePort(), certificate, realityTargetPort, reality };
  const inbound = await panel.api.post<InboundRow>('/panel/api/inbounds/add', {
    enable: true,
    remark: kind.name,
    listen: '127.0.0.1',
    port: context.port,
    protocol: kind.protocol,
    expiryTime: 0,
    total: 0,
    settings: kind.settings,
    streamSettings: withClientSide(kind.stream(context), bed, ofReality),
    sniffing: { enabled: false },
  });
  return { context, inbound };
}

/** Settings beside the server's own: the name, the fingerprint and the server's credentials for clients. */
function withClientSide(stream: Json | null, { certificate, reality }: TestBed, ofReality: Json): Json | null {
  const { tlsSettings, realitySettings } = stream ?? {};
  const settings = { fingerprint: 'chrome' };
  const ofTls = { serverName: 'test.local', settings: { ...settings, pinnedPeerCertSha256: [certificate.pin] } };
  if (typeof tlsSettings === 'object') return { ...stream, tlsSettings: { ...tlsSettings, ...ofTls } };
  if (typeof realitySettings !== 'object') return stream;
  const { publicKey } = reality;
  return { ...stream, realitySettings: { ...realitySettings, ...ofReality, settings: { ...settings, publicKey } } };
}

/** Adds a client to an inbound. */
export async function addClient({ panel }: TestBed, name: string, inboundId: number, flow?: string): Promise<Client> {
  const email = name.replaceAll(/[^a-z0-9]+/gi, '-');
  const client = { email, enable: true, ...(flow !== undefined && { flow }) };
  await panel.api.post('/panel/api/clients/add', { client, inboundIds: [inboundId] });
  return (await panel.api.get<{ client: Client }>(`/panel/api/clients/get/${email}`)).client;
}

/** Adds the inbound of a recipe, with a free port. */
export async function addRecipe(bed: TestBed, recipe: Recipe, admitsOtherEngines = false) {
  const { panel, certificate, tlsSitePort } = bed;
  const form: RecipeForm = {
    recipe,
    remark: `recipe ${recipe}`,
    port: await freePort(),
    target: `localhost:${tlsSitePort}`,
    // The only CDN name that resolves without a DNS server; its port is that of a proxy.
    domain: recipe === 'xhttpCdn' ? 'localhost' : '',
    certFile: certificate.certFile,
    keyFile: certificate.keyFile,
    admitsOtherEngines,
  };
  const made = inboundOf(form, [await newPair(panel), await newPair(panel)], (count) => randomBytes(count));
  return { form, inbound: await panel.api.post<InboundRow>('/panel/api/inbounds/add', made) };
}
