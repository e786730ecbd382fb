import { toArguments, type ServerFlags } from '../flags.ts';
import { startLauncher } from './launcher.ts';
import type { ReadyLine } from '../launch/ready-line.ts';
import { PANEL_EXEC_ARGV, panelEnv } from '../launch/panel-memory.ts';
import { serverEntry } from '../build/server-build.ts';
import { isCoreRunning } from '../../core/process/recorded-core.ts';

/** The panel stops within 7 s: core counters, core, checkpoint and backup included. */
const STOP_GRACE_MS = 7000;
/**
 * Runs the panel under a launcher until it ends or this process is asked to stop.
 * @param entry what to run first; later runs look it up again, because the panel may have been updated
 * @param writeReady takes the first ready line; everything else goes to stderr.
 * @returns the exit code.
 */
export function runUnderLauncher(
  flags: ServerFlags,
  entry: string,
  writeReady: (line: string) => void,
): Promise<number> {
  // The reader may go away; that is no reason to stop.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const launcher = startLauncher({
    command: process.execPath,
    argsFor: (ready) => [
      ...PANEL_EXEC_ARGV,
      ready === null ? entry : serverEntry(),
      ...toArguments(ready === null ? flags : withPortsOf(ready, flags)),
    ],
    env: panelEnv(),
    writeReady,
    say: (line) => process.stderr.write(`${line}\n`),
    clock: Date.now,
    random: Math.random,
    stopGraceMs: STOP_GRACE_MS,
    // The core in this folder belongs to another process.
    isCoreLeft: async () => flags.role !== 'subscriptions' && (await isCoreRunning(flags.dataDir)),
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => launcher.stop());
  return launcher.done;
}

/** A restart keeps the ports chosen for "any free port": clients that were given the address go on using it. */
export function withPortsOf(ready: ReadyLine, flags: ServerFlags): ServerFlags {
  return {
    ...flags,
    port: flags.port === 0 ? portOf(ready.panel) : flags.port,
    subPort: flags.subPort === 0 ? portOf(ready.sub) : flags.subPort,
  };
}

/** 0 when the address is empty: the server was switched off. */
function portOf(address: string): number {
  if (!URL.canParse(address)) return 0;
  const { port, protocol } = new URL(address);
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}
