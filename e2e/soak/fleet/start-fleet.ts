import { disposePanel, type PanelProcess } from '../../harness/panel-process.ts';
import { allowPrivateEgress } from '../../harness/open-egress.ts';
import { waitFor } from '../../harness/wait-for.ts';
import { activeEmailsOf, startActiveClients, trafficOf } from './active-clients.ts';
import { createBreakages } from './breakages.ts';
import { findDifferences } from './differences.ts';
import { createEdits } from './edits.ts';
import { API, joinFleet, moveClock, startMovable, statusOf, type Member } from './members.ts';

/** A master and two nodes, each a process with a core, and clients with constant traffic through both nodes. */
export async function startFleet() {
  const panels = (await Promise.all(Array.from({ length: 3 }, startMovable))) as [PanelProcess, ...PanelProcess[]];
  const [top, ...below] = panels;
  await Promise.all(panels.map(({ api }) => allowPrivateEgress(api)));
  const members: Member[] = [];
  for (const [at, panel] of below.entries()) members.push(await joinFleet(top, panel, `node ${at}`));
  const active = await startActiveClients(top, members);

  return {
    edits: createEdits(top, members),
    breakages: createBreakages(panels, members),
    differences: () => findDifferences(top, members),
    /** Approves what waits for the operator. */
    async confirmPlans(): Promise<void> {
      for (const { nodeId } of members)
        for (const { kind, digest } of await top.api.get<{ kind: string; digest: string }[]>(
          `${API}/nodes/plans/${nodeId}`,
        ))
          await top.api.post(`${API}/nodes/plans/${nodeId}/confirm`, { kind, digest });
    },
    /** Nothing breaks any more, nothing moves, and every panel is back. */
    async calm(): Promise<void> {
      for (const { relay } of members) {
        relay.cut(false);
        relay.loseNext(0);
        relay.breakNext([]);
      }
      for (const panel of panels) {
        await moveClock(panel, 0);
        await waitFor(
          'a panel and its core',
          async () => (await statusOf(panel)).core.state === 'running',
          120_000,
          500,
        );
      }
      await active.stop();
    },
    async bytes(): Promise<{ counted: number; sent: number }> {
      let counted = 0;
      for (const email of new Set(members.flatMap((_, at) => activeEmailsOf(at))))
        counted += (await trafficOf(top, email)).lifetimeDown;
      return { counted, sent: active.sentBytes() };
    },
    async close(): Promise<void> {
      await active.close();
      await Promise.all(panels.map(disposePanel));
      for (const { relay } of members) await relay.close();
    },
  };
}
