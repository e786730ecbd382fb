import type { PanelEvent } from '../contract/events.ts';
import type { JsonObject } from '../contract/json.ts';
import { createClientService } from '../domains/clients/service.ts';
import { createJobService } from '../domains/jobs/service.ts';
import { texts as clientTexts } from '../domains/clients/texts.ts';
import type { Inbound } from '../domains/inbounds/contract.ts';
import type { InboundServiceDeps } from '../domains/inbounds/dependencies.ts';
import { importExternalProxies } from '../domains/hosts/import-external-proxies.ts';
import { noNodes } from '../domains/inbounds/node-port.ts';
import { inboundRoutes } from '../domains/inbounds/routes.ts';
import type { InboundClientPort } from '../domains/inbounds/client-port.ts';
import { createInboundService } from '../domains/inbounds/service.ts';
import { texts } from '../domains/inbounds/texts.ts';
import { createCounterPort } from '../domains/traffic/counter-port.ts';
import { nextMonthDay } from '../domains/traffic/month-day.ts';
import { recordingRuntime } from './recording-runtime.ts';
import { serveRoutes } from './serve-routes.ts';
import { openTestStore, recordingLogger } from './test-store.ts';

export type InboundPanel = Awaited<ReturnType<typeof startInboundPanel>>;

/** The inbound calls over HTTP: real store, recorded runtime and events, a template in memory, no port of the machine asked. */
export async function startInboundPanel(
  overrides: Partial<InboundServiceDeps> | ((usual: InboundServiceDeps) => Partial<InboundServiceDeps>) = {},
) {
  const nowMs = 1_700_000_000_000;
  const opened = await openTestStore(() => nowMs);
  const { store, dataDir } = opened;
  const runtime = recordingRuntime();
  const settled: string[] = [];
  const online = new Set<string>();
  const traffic = createCounterPort({
    panelGuid: 'guid-of-this-panel',
    forgetNames: () => {},
    onlineEmails: () => online,
    nextRenewalMs: (day, nowMs) => nextMonthDay(nowMs, day, 'UTC'),
    settle: async (names) => void settled.push(...names),
  });
  const log = recordingLogger();
  const events: PanelEvent[] = [];
  const publish = (event: PanelEvent) => void events.push(event);
  const clock = () => nowMs;
  const { inboundClients } = createClientService({
    store,
    jobs: createJobService({ clock, publish: () => {}, log }),
    sessions: {
      end: async () => ({ step: 'none', connections: 0, left: [], leftCount: 0, offers: [], note: '' }),
    },
    runtime,
    traffic,
    activeInbounds: () => ({}),
    nearLimits: () => ({ expireDiff: 0, trafficDiff: 0 }),
    clock,
    publish,
    subscribe: () => () => {},
    onError: (error) => log.error('clients.failed', { error }),
  });
  const { port: clients, calls } = noted(inboundClients);
  const template: { stored: JsonObject } = { stored: { routing: { rules: [] }, outbounds: [] } };
  const usual: InboundServiceDeps = {
    store,
    runtime,
    clients,
    traffic,
    templates: {
      async rewrite(_trx, change) {
        const changed = change(template.stored);
        const isChanged = changed !== template.stored;
        template.stored = changed;
        return isChanged;
      },
    },
    nodes: noNodes,
    hosts: { importExternalProxies },
    clock,
    publish,
    log,
    panelGuid: () => 'guid-of-this-panel',
    reservedPorts: () => [{ port: 2053, use: 'the web interface' }],
    hasGeoFile: (name) => name === 'geosite.dat',
    certificateFolder: dataDir,
    findForeignUse: async () => null,
  };
  const service = createInboundService({
    ...usual,
    ...(typeof overrides === 'function' ? overrides(usual) : overrides),
  });
  const http = await serveRoutes((context) => inboundRoutes(context, service), {
    ...clientTexts,
    ...texts,
    'request.invalid': 'request body failed validation',
  });
  const path = '/panel/api/inbounds';
  return {
    nowMs,
    store,
    dataDir,
    runtime,
    /** What was asked of the clients, in order. */
    calls,
    /** E-mails that count as online. */
    online,
    /** E-mails whose bytes were read before they were given away. */
    settled,
    traffic,
    log,
    events,
    template,
    service,
    http,
    get: (call: string) => http.get(path + call),
    post: (call: string, body: object = {}, headers: Record<string, string> = {}) =>
      http.post(path + call, body, headers),
    /** Adds an inbound that must be accepted. */
    async added(body: object): Promise<Inbound> {
      const answer = await http.post(`${path}/add`, body);
      if (!answer.success) throw new Error(JSON.stringify(answer));
      return answer.obj as Inbound;
    },
    async rowCount(): Promise<number> {
      return (await store.reader.selectFrom('inbounds').select('id').execute()).length;
    },
    async close() {
      await http.close();
      await opened.dispose();
    },
  };
}

/** The port, with its calls written down: verb, and whether totals of other panels were asked for. */
function noted(port: InboundClientPort): { port: InboundClientPort; calls: string[] } {
  const calls: string[] = [];
  return {
    calls,
    port: {
      ...port,
      statsOf(ids, options) {
        calls.push(`statsOf overlay=${options.overlay}`);
        return port.statsOf(ids, options);
      },
      statsPages(id, options) {
        calls.push(`statsOf overlay=${options.overlay}`);
        return port.statsPages(id, options);
      },
      regenerateForCipher(trx, inbound) {
        calls.push(`regenerateForCipher ${inbound.protocol}`);
        return port.regenerateForCipher(trx, inbound);
      },
      adaptFlows(trx, inbound) {
        calls.push(`adaptFlows ${inbound.protocol}`);
        return port.adaptFlows(trx, inbound);
      },
      noteCommitted() {
        calls.push('noteCommitted');
        port.noteCommitted();
      },
    },
  };
}

/** A vless inbound without transport security; `more` wins. */
export function vlessBody(port: number, more: object = {}): Record<string, unknown> {
  return {
    enable: true,
    remark: '',
    listen: '',
    port,
    protocol: 'vless',
    settings: { decryption: 'none', encryption: 'none' },
    streamSettings: { network: 'tcp', security: 'none' },
    sniffing: { enabled: false },
    ...more,
  };
}
