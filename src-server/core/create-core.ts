import { join, resolve } from 'node:path';
import type { Logger } from '../contract/logger.ts';
import type { Schedule } from '../contract/schedule.ts';
import type { CoreApi } from './api/core-api.ts';
import { Applier } from './apply/applier.ts';
import { createBalancerOverrides } from './apply/balancer-overrides.ts';
import { createPlanner, type ApplyPlan } from './apply/plan.ts';
import { createCompiler } from './apply/convert.ts';
import { seedGeoFiles } from './binary/releases/assets.ts';
import { createCoreProgram } from './binary/core-program.ts';
import { createCoreFiles, type CoreFiles } from './binary/core-files.ts';
import type { FoundCore } from './binary/locate.ts';
import type { CommandResult } from './binary/run-command.ts';
import { runCommand } from './binary/run-command.ts';
import type { JsonObject } from './config/source.ts';
import type { Core, DesiredState } from './core.ts';
import { createApiPlace } from './process/api-place.ts';
import { createConfigCheck, createConfigReport } from './process/config-check.ts';
import { Lifecycle } from './process/lifecycle/lifecycle.ts';
import { bridgePort, reservedPorts, withBridgesOnFreePorts } from './process/own-ports.ts';
import { productBuilder } from './process/product-builder.ts';
import type { ConfigBuilder } from './process/session.ts';
import { createSourceTest } from './process/source-test.ts';
import { createAddressBlocks, type AddressBlock } from './sessions/address-blocks.ts';
import { createReplaceInbounds, type Replaced } from './sessions/replace-inbounds.ts';
import { createOutboundTester, type TestOutbounds } from './probe/outbound-tester.ts';
import { clearLeftBehind } from './probe/left-behind.ts';
import { createOutboundCheck, type RefusedOutbounds } from './probe/refused-outbounds.ts';
import { createSocketCutter, type SocketCutter } from './sessions/socket-cutter.ts';
import { createCoreReadings } from './stats/core-readings.ts';

export interface CreateCoreOptions {
  /** Config, pid file, API socket, `core/` (executable and geo files), `cert/`. Must belong to this panel alone. */
  dataDir: string;
  /** Contains `core/` as shipped with the product. */
  resourcesDir: string;
  /** Path of the executable when the operator named one; default CORE_BINARY of `env`. */
  binary?: string | undefined;
  /** Default `<dataDir>/logs`. */
  logDir?: string | undefined;
  desired: DesiredState;
  /** Turns stored data into a config; by default the rules of this product. */
  builder?: ConfigBuilder;
  log: Logger;
  clock: () => number;
  schedule: Pick<Schedule, 'after'>;
  /** Environment of the panel; default `process.env`. */
  env?: NodeJS.ProcessEnv;
}

/** The core, with the extras that only this panel's own pages need. */
export interface LocalCore extends Core {
  /** Runs a helper command of the executable (`x25519`, `vlessenc` …), 15 s at most. @throws {Error} without a usable one */
  runCoreCommand(args: readonly string[]): Promise<CommandResult>;
  /** The executable that would be used now, or what to do to get one. */
  locate(): Promise<FoundCore>;
  /** Calls beyond {@link Core} (route test, balancers, log files); null when the core does not run. */
  api(): CoreApi | null;
  /** Loopback port of one of the panel's own bridges (`panel-egress`, `node-egress-7`); null when it does not run. */
  bridgePort(tag: string): number | null;
  /** Where the running core shows its metrics, empty = nowhere; null when it does not run. */
  metricsListen(): string | null;
  /** Replaces the executable and the geo files, and can roll back. */
  readonly files: CoreFiles;
  /** What it would take to bring the running core to this template; changes nothing. */
  plan(template: JsonObject): Promise<ApplyPlan>;
  /** Overrides a balancer's target until that is undone or the core restarts. False when the core does not run. */
  overrideBalancer(tag: string, target: string): Promise<boolean>;
  /** Target of a balancer that the last restart cleared; empty = none, or the operator has chosen again since. */
  clearedOverride(tag: string): string;
  /** Tags of the running outbounds; null when the core does not run. */
  runningOutbounds(): string[] | null;
  /** Tests outbounds, beside the running core and without touching it. */
  testOutbounds: TestOutbounds;
  /** Which of these outbounds the installed core refuses, and why. None without a core. */
  refusedOutbounds: RefusedOutbounds;
  /** Folder of the geo files. */
  readonly assetDir: string;
  /** Ends single TCP connections where the operating system lets us. */
  readonly sockets: SocketCutter;
  /**
   * Whether the core shows an open connection of one of these users; null when it does not run or cannot tell. Costs
   * one call per listed user, whatever the number of others.
   */
  hasConnections(emails: readonly string[]): Promise<boolean | null>;
  /** Removes running inbounds and adds them again, which ends the sessions of QUIC and WireGuard inbounds. */
  replaceInbounds(inboundIds: readonly number[]): Promise<Replaced>;
  /**
   * Makes exactly these blocks take effect until the process ends. @returns false when the core does not run.
   * @throws {CoreApiError} when it refuses them
   */
  blockAddresses(blocks: readonly AddressBlock[]): Promise<boolean>;
}

export function createCore(options: CreateCoreOptions): LocalCore {
  const { builder = productBuilder, log, clock, schedule, env = process.env } = options;
  const dataDir = resolve(options.dataDir);
  const resourcesDir = resolve(options.resourcesDir);
  const logDir = resolve(options.logDir ?? join(dataDir, 'logs'));
  const assetDir = join(dataDir, 'core');
  const places = { assetDir, certDir: join(dataDir, 'cert') };
  const named = options.binary ?? env.CORE_BINARY ?? '';
  const { environment, locate, run, program } = createCoreProgram(
    { binary: named, dataDir, resourcesDir, env },
    places,
  );
  const check = createConfigCheck(run, dataDir);
  const place = createApiPlace(dataDir);
  const desired: DesiredState = {
    ...options.desired,
    full: async (template) => withBridgesOnFreePorts(await options.desired.full(template), lifecycle.session),
  };
  const lifecycle: Lifecycle = new Lifecycle({
    dataDir,
    logDir,
    desired,
    builder,
    place,
    log,
    clock,
    schedule,
    locate,
    environment,
    check,
  });
  const files = createCoreFiles({
    folder: assetDir,
    named,
    places,
    env,
    dataDir,
    logDir,
    lifecycle,
    desired,
    builder,
    check,
    locate,
  });
  const compile = createCompiler(run, dataDir);
  const overrides = createBalancerOverrides(log);
  const applier = new Applier({ overrides, lifecycle, desired, builder, compile, check, logDir, log, schedule });
  const readings = createCoreReadings(lifecycle, clock);
  const toolEnv = { ...env, PATH: [env.PATH, '/usr/sbin', '/sbin', '/usr/bin', '/bin'].filter(Boolean).join(':') };

  return {
    status: () => lifecycle.state.status(),
    onState: (listener) => lifecycle.state.onState(listener),
    onBeforeStop: (listener) => lifecycle.onBeforeStop(listener),
    boot: async () => {
      // An exchange interrupted by a kill: the earlier files return before anything uses them.
      await files.discard().catch((error: unknown) => log.error('core.exchangeLeft', { error: String(error) }));
      await clearLeftBehind(dataDir, Date.now() - process.uptime() * 1000, log).catch((error: unknown) =>
        log.error('core.leftBehind', { error: String(error) }),
      );
      const found = await locate();
      await seedGeoFiles(resourcesDir, found.ok ? found.path : null, assetDir).catch((error: unknown) =>
        log.warn('core.geoFiles', { error: String(error) }),
      );
      await lifecycle.boot();
    },
    rest: () => lifecycle.rest(),
    stop: () => lifecycle.stop(),
    restart: (reason) => lifecycle.restart(reason),
    close: () => {
      applier.close();
      return lifecycle.close();
    },
    apply: (change) => applier.apply(change),
    test: createSourceTest({ locate, builder, logDir, report: createConfigReport(run, dataDir) }),
    assembled: (): Promise<JsonObject> => lifecycle.assembledConfig(),
    lastOutput: () => lifecycle.state.lastOutput(),
    previousRun: () => lifecycle.state.previousRun(),
    readCounters: readings.counters,
    onlineUsers: readings.onlineUsers,
    reservedPorts: () => reservedPorts(lifecycle.session),
    bridgePort: (tag) => bridgePort(lifecycle.session, tag),
    runCoreCommand: (args) => run(args),
    locate,
    api: () => lifecycle.session?.process.api ?? null,
    files,
    metricsListen: () => lifecycle.session?.metricsListen ?? null,
    plan: createPlanner({ lifecycle, desired, builder, logDir }),
    overrideBalancer: async (tag, target) => {
      const api = lifecycle.session?.process.api;
      if (api === undefined) return false;
      await overrides.set(api, tag, target);
      return true;
    },
    clearedOverride: (tag) => overrides.cleared(tag),
    runningOutbounds: () => lifecycle.session?.snapshot.outbounds.map(({ tag }) => tag) ?? null,
    testOutbounds: createOutboundTester({ check, folder: dataDir, program }),
    refusedOutbounds: createOutboundCheck(check, async () => (await locate()).ok),
    assetDir,
    sockets: createSocketCutter((program, args) => runCommand(program, args, { env: toolEnv })),
    hasConnections: readings.hasConnections,
    replaceInbounds: createReplaceInbounds({ lifecycle, desired, builder, compile }),
    blockAddresses: createAddressBlocks({ lifecycle, compile }),
  };
}
