import { createCore } from '../../core/create-core.ts';
import { inbound, manualTimers, realCore, template } from './core-bench.ts';

/**
 * A panel in its own process, to be killed by a test: `node dying-panel.ts <dataDir> [port]`. Prints its core's status.
 * With a port the core listens there and logs everything.
 */
const [dataDir = '', port] = process.argv.slice(2);
const wanted =
  port === undefined
    ? { template: template(), inbounds: [] }
    : { template: { ...template(), log: { loglevel: 'debug' } }, inbounds: [inbound(Number(port), { id: 1 })] };
const ignore = (): void => undefined;
const core = createCore({
  dataDir,
  resourcesDir: dataDir,
  binary: realCore(),
  desired: {
    full: () => Promise.resolve({ ...wanted, subscribedOutbounds: { prepend: [], append: [] } }),
    inbound: () => Promise.resolve(null),
    inboundUsers: () => Promise.resolve(null),
  },
  log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  clock: Date.now,
  schedule: manualTimers(),
});
await core.boot();
process.stdout.write(`${JSON.stringify(core.status())}\n`);
setInterval(ignore, 60_000);
