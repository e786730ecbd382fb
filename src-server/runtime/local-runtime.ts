import type { InboundSource, JsonObject } from '../core/config/source.ts';
import type { Core } from '../core/core.ts';
import type { Runtime } from './runtime.ts';

/**
 * The core has tested each of them alone, and no rule or inbound is wrong because of them; a broken one must block no
 * save.
 */
const NO_SUBSCRIPTIONS = { prepend: [], append: [] };

/**
 * Runtime of a panel without nodes: every inbound runs on this panel's own core.
 * @param readTemplate the stored core template, or the built-in one.
 * @param readInbounds every inbound that should run, without clients: what a new template is tested against.
 */
export function createLocalRuntime(
  core: Core,
  readTemplate: () => Promise<JsonObject>,
  readInbounds: () => Promise<InboundSource[]>,
): Runtime {
  return {
    // This panel's core needs no mark: `apply` and every start bring it in line.
    async stage() {},
    apply: async (change) => ({ core: await core.apply(change), nodePending: false }),
    async testInbound(candidate) {
      // Tested with the template, whose routing may name this inbound, but without the other inbounds: they cannot make
      // this one invalid, and their clients would make the test as long as a whole start.
      return core.test({
        template: await readTemplate(),
        inbounds: [candidate],
        subscribedOutbounds: NO_SUBSCRIPTIONS,
      });
    },
    async testTemplate(template) {
      return core.test({ template, inbounds: await readInbounds(), subscribedOutbounds: NO_SUBSCRIPTIONS });
    },
    restartCore: (reason) => core.restart(reason),
    reservedPorts: () => core.reservedPorts(),
  };
}
