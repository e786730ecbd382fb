import type { JsonObject } from '../../contract/json.ts';
import type { Inbound } from '../../domains/inbounds/contract.ts';
import type { InboundClientPort } from '../../domains/inbounds/client-port.ts';
import { openPanel, type PanelOptions } from './open-panel.ts';
import { recordRuntime } from '../recording-runtime.ts';

export type InboundPanel = Awaited<ReturnType<typeof startInboundPanel>>;

/** A panel for inbound tests, on a machine where no other program holds a port. */
export async function startInboundPanel(options: PanelOptions = {}) {
  const opened = await openPanel({
    panelGuid: 'guid-of-this-panel',
    ...options,
  });
  const { store, parts } = opened;
  const { runtime, templates, traffic } = parts.engine;
  const settled: string[] = [];
  const online = new Set<string>();
  const settleSubjects = traffic.port.settleSubjects.bind(traffic.port);
  traffic.port.onlineEmails = () => online;
  traffic.port.settleSubjects = (emails) => {
    settled.push(...emails);
    return settleSubjects(emails);
  };
  const template = await templates.read();
  const setTemplate = (change: JsonObject) => store.write((trx) => templates.save(trx, { ...template, ...change }));
  const panel = {
    ...opened,
    runtime: recordRuntime(runtime),
    /** Requests to the clients service, in order: action, and whether totals of other panels were requested. */
    calls: noteCalls(parts.records.clients.inboundClients),
    /** E-mails that count as online. */
    online,
    /** E-mails whose bytes were read before they were reassigned. */
    settled,
    traffic: traffic.port,
    template: templates,
    setTemplate,
    service: parts.records.inbounds,
    get: (call: string) => opened.get(`/inbounds${call}`),
    post: (call: string, body: object = {}, headers?: Record<string, string>) =>
      opened.post(`/inbounds${call}`, body, headers),
    /** Adds an inbound that must be accepted. */
    added: (body: object) => opened.done<Inbound>('/inbounds/add', body),
    async rowCount(): Promise<number> {
      return (await store.reader.selectFrom('inbounds').select('id').execute()).length;
    },
  };
  return panel;
}

function noteCalls(port: InboundClientPort): string[] {
  const calls: string[] = [];
  const real = { ...port };
  Object.assign(port, {
    statsOf(...args: Parameters<InboundClientPort['statsOf']>) {
      calls.push(`statsOf overlay=${args[1].overlay}`);
      return real.statsOf(...args);
    },
    statsPages(...args: Parameters<InboundClientPort['statsPages']>) {
      calls.push(`statsOf overlay=${args[1].overlay}`);
      return real.statsPages(...args);
    },
    regenerateForCipher(...args: Parameters<InboundClientPort['regenerateForCipher']>) {
      calls.push(`regenerateForCipher ${args[1].protocol}`);
      return real.regenerateForCipher(...args);
    },
    adaptFlows(...args: Parameters<InboundClientPort['adaptFlows']>) {
      calls.push(`adaptFlows ${args[1].protocol}`);
      return real.adaptFlows(...args);
    },
    noteCommitted() {
      calls.push('noteCommitted');
      real.noteCommitted();
    },
  } satisfies Partial<InboundClientPort>);
  return calls;
}

/** The transport of an inbound that the core accepts with Vision. */
export const REALITY_STREAM = {
  network: 'tcp',
  security: 'reality',
  realitySettings: {
    target: 'example.com:443',
    serverNames: ['example.com'],
    privateKey: 'aGVsbG9oZWxsb2hlbGxvaGVsbG9oZWxsb2hlbGxvaGU',
    shortIds: ['ab12'],
  },
};

/** A vless inbound without transport security; `more` overrides its fields. */
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
