import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Logger } from '../../contract/logger.ts';
import type { Schedule } from '../../contract/schedule.ts';
import type {
  ClientSource,
  CoreConfigSource,
  EgressBridge,
  InboundSource,
  JsonObject,
} from '../../core/config/source.ts';
import type { DesiredState } from '../../core/core.ts';
import type { CreateCoreOptions, LocalCore } from '../../core/create-core.ts';
import { createCore } from '../../core/create-core.ts';

/** The real executable that core tests run with. @throws when it is missing: these tests are never skipped silently */
export function realCore(): string {
  const path = process.env.CORE_BINARY ?? resolve('resources/core/xray');
  if (!existsSync(path))
    throw new Error(`Core tests need the real core: set CORE_BINARY or run "npm run core" (looked at ${path}).`);
  return path;
}

interface LogRow {
  level: string;
  event: string;
  fields: Record<string, unknown> | undefined;
}

/** A desired state that a test edits in place. */
interface Wanted {
  template: JsonObject;
  inbounds: InboundSource[];
  bridges: EgressBridge[];
}

/** Timers that fire when the test says so. */
interface ManualTimers extends Pick<Schedule, 'after'> {
  /** Delays of the timers that are armed, in ms. */
  armed(): number[];
  /** Runs everything that is armed now. */
  fire(): Promise<void>;
}

export interface Bench {
  core: LocalCore;
  wanted: Wanted;
  dataDir: string;
  logs: LogRow[];
  timers: ManualTimers;
  end(): Promise<void>;
}

export function manualTimers(): ManualTimers {
  let tasks: { delayMs: number; run: () => void | Promise<void> }[] = [];
  return {
    armed: () => tasks.map(({ delayMs }) => delayMs),
    async fire() {
      const due = tasks;
      tasks = [];
      for (const { run } of due) await run();
    },
    after(delayMs, run) {
      const task = { delayMs, run };
      tasks.push(task);
      return { cancel: () => (tasks = tasks.filter((other) => other !== task)) };
    },
  };
}

export function openBench(overrides: Partial<CreateCoreOptions> = {}): Bench {
  const binary = realCore();
  const dataDir = mkdtempSync(join(tmpdir(), 'core-bench-'));
  const logs: LogRow[] = [];
  const write =
    (level: string) =>
    (event: string, fields?: Record<string, unknown>): void =>
      void logs.push({ level, event, fields });
  const log: Logger = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
  const wanted: Wanted = { template: template(), inbounds: [], bridges: [] };
  const timers = manualTimers();
  const core = createCore({
    dataDir,
    resourcesDir: join(dataDir, 'none'),
    binary,
    desired: desiredOf(wanted),
    log,
    clock: Date.now,
    schedule: timers,
    ...overrides,
  });
  return {
    core,
    wanted,
    dataDir,
    logs,
    timers,
    async end() {
      await core.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function desiredOf(wanted: Wanted): DesiredState {
  const find = (id: number): InboundSource | null => wanted.inbounds.find((inbound) => inbound.id === id) ?? null;
  return {
    full: async (): Promise<CoreConfigSource> => ({
      template: wanted.template,
      inbounds: [...wanted.inbounds],
      subscribedOutbounds: { prepend: [], append: [] },
      bridges: wanted.bridges,
    }),
    inbound: async (id) => find(id),
    inboundUsers: async (id, emails) => {
      const inbound = find(id);
      return inbound && { ...inbound, clients: inbound.clients.filter(({ email }) => emails.includes(email)) };
    },
  };
}

export function template(): JsonObject {
  return {
    log: { loglevel: 'warning' },
    stats: {},
    policy: {
      levels: { '0': { statsUserUplink: true, statsUserDownlink: true, statsUserOnline: true } },
      system: { statsInboundUplink: true, statsInboundDownlink: true },
    },
    outbounds: [
      { tag: 'direct', protocol: 'freedom', settings: { finalRules: [{ action: 'allow' }] } },
      { tag: 'blocked', protocol: 'blackhole', settings: {} },
    ],
    routing: { rules: [{ type: 'field', protocol: ['bittorrent'], outboundTag: 'blocked' }] },
  };
}

export function client(email: string, given: Partial<ClientSource> = {}): ClientSource {
  return { email, id: uuidOf(email), password: '', auth: '', flow: '', reverseTag: '', ...given };
}

/** A UUID that depends on the name alone. */
function uuidOf(name: string): string {
  const hex = Buffer.from(name.padStart(16, '0').slice(-16)).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

let nextId = 1;
export function inbound(port: number, given: Partial<InboundSource> = {}): InboundSource {
  const id = given.id ?? nextId++;
  return {
    id,
    tag: `in-${id}`,
    listen: '127.0.0.1',
    port,
    protocol: 'vless',
    settings: { decryption: 'none' },
    streamSettings: null,
    sniffing: null,
    clients: [],
    fallbacks: [],
    ...given,
  };
}

/** Throw-away certificate for 127.0.0.1 in `folder`. */
export function makeCertificate(folder: string): { certificateFile: string; keyFile: string } {
  const [certificateFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const subject = ['-subj', '/CN=test.local', '-addext', 'subjectAltName=DNS:test.local,IP:127.0.0.1'];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '3650'];
  execFileSync('openssl', ['req', '-x509', ...kind, '-keyout', keyFile, '-out', certificateFile, ...subject], {
    stdio: 'ignore',
  });
  return { certificateFile, keyFile };
}

/** Waits until `isTrue`, 10 s at most. */
export async function until(isTrue: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + 10_000;
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error(`timed out: ${what}`);
    await new Promise((done) => setTimeout(done, 20));
  }
}
