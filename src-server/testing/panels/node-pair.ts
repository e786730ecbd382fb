import { manageNode } from './managed-node.ts';
import { openPanel } from './open-panel.ts';

const GUID_OF_NODE = 'guid-of-the-node';

/**
 * A panel that manages another one: two whole panels with their own clocks, and HTTP with an API token between them.
 */
export async function startNodePair() {
  let central = await openPanel({ panelGuid: 'guid-of-this-panel' });
  const managed = await manageNode(central, { panelGuid: GUID_OF_NODE, name: 'node' });
  const others: Awaited<ReturnType<typeof manageNode>>[] = [];

  /** One poll of every node, and everything that follows from it. */
  async function sync(): Promise<void> {
    await central.nodes.pollAll();
    await central.nodes.idle();
  }
  await sync();

  const pair = {
    ...managed,
    central,
    sync,
    /** Manages one more panel. */
    async another(panelGuid: string, how: { certificate?: { certPem: string; keyPem: string } } = {}) {
      const more = await manageNode(central, { panelGuid, name: `node ${others.length + 2}`, ...how });
      others.push(more);
      await sync();
      return more;
    },
    /** Moves time by 5 s for both panels, with a poll. */
    async tick(): Promise<void> {
      await pair.node.tick();
      await central.tick();
      await sync();
    },
    /** Lets the client move bytes on the node, and both panels count them. */
    async useThere(email: string, up: number, down = 0): Promise<void> {
      // A client added a moment ago is still on its way there.
      await central.nodes.idle();
      pair.node.core.move('users', email, up, down);
      await pair.node.tick();
      await central.tick();
      await sync();
    },
    /** Ends the managing panel and starts it again with its stored data. */
    async restartCentral(): Promise<void> {
      const { dataDir } = central;
      await central.nodes.idle();
      await central.app.close();
      central = await openPanel({ dataDir, startMs: central.clock() });
      pair.central = central;
    },
    /** The node's panel starts again with the database that this backup of it has. */
    async restoreNode(backup: ArrayBuffer): Promise<void> {
      await central.nodes.idle();
      pair.node = await managed.restore(backup);
    },
    async close(): Promise<void> {
      // A call that is cut off here would still run there, on a closed store.
      await central.nodes.idle();
      await central.close();
      for (const each of [...others, managed]) await each.close();
    },
  };
  return pair;
}
export type NodePair = Awaited<ReturnType<typeof startNodePair>>;
