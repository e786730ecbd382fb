import type { CoreConfigSource } from '../core/config/source.ts';
import type { Core, DesiredState } from '../core/core.ts';
import type { Runtime } from './runtime.ts';

/** Runtime of a panel without nodes: every inbound runs on this panel's own core. */
export function createLocalRuntime(core: Core, desired: DesiredState): Runtime {
  async function withFull(change: (source: CoreConfigSource) => CoreConfigSource) {
    return core.test(change(await desired.full()));
  }
  return {
    async stage() {},
    apply: async (change) => ({ core: await core.apply(change), nodePending: false }),
    async testInbound(candidate) {
      // The template's routing may name this inbound, so it is tested with the template, but without the other inbounds:
      // their clients cannot make this one invalid and would make the test as long as the whole start.
      return withFull((source) => ({ ...source, inbounds: [candidate] }));
    },
    testTemplate: (template) => withFull((source) => ({ ...source, template })),
    restartCore: (reason) => core.restart(reason),
    reservedPorts: () => core.reservedPorts(),
  };
}
