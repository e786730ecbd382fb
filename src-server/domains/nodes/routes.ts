import { bind, type BindContext } from '../../http/bind.ts';
import { delicateChange } from '../../http/guards/delicate-change.ts';
import type { DelicateChange } from '../session/credentials.ts';
import { enrolmentRoutes } from './enrolment/routes.ts';
import { driftRoutes } from './drift/routes.ts';
import { rolloutRoutes } from './rollout/routes.ts';
import * as chains from './chains/contract.ts';
import * as contract from './contract.ts';
import * as plans from './plans/contract.ts';
import * as probes from './probes/contract.ts';
import * as trust from './trust/contract.ts';
import type { NodeService } from './service.ts';

/** Mounts the nodes. `prove` asks older sessions for their password or code before another panel gets access. */
export function nodeRoutes(
  ctx: BindContext,
  nodes: NodeService,
  prove: (change: DelicateChange) => Promise<void>,
): void {
  bind(ctx, contract.listNodes, () => nodes.overview.list());
  bind(ctx, contract.getNode, ({ params }) => nodes.overview.get(params.id));
  bind(ctx, contract.addNode, async ({ body }) => nodes.overview.get(await nodes.addAndProbe(body)));
  bind(ctx, contract.updateNode, async ({ params, body }) => {
    await nodes.update(params.id, body);
    return null;
  });
  bind(ctx, contract.deleteNode, async ({ params }) => {
    await nodes.remove(params.id);
    return null;
  });
  bind(ctx, contract.setNodeEnable, async ({ params, body }) => {
    await nodes.setEnable(params.id, body.enable);
    return null;
  });
  bind(ctx, plans.listNodePlans, ({ params }) => nodes.plans.list(params.id));
  bind(ctx, plans.confirmNodePlan, async ({ params, body }) => {
    await nodes.plans.confirm(params.id, body.digest);
    return null;
  });
  bind(ctx, plans.takeBackNodePlan, async ({ params, body }) => {
    await nodes.plans.takeBack(params.id, body.digest);
    return null;
  });
  bind(ctx, probes.testNode, ({ body }) => nodes.inquiries.test(body));
  bind(ctx, probes.probeNode, ({ params }) => nodes.probe(params.id));
  bind(ctx, probes.certFingerprint, ({ body }) => nodes.inquiries.certFingerprint(body));
  bind(ctx, probes.nodeInbounds, ({ body }) => nodes.inquiries.inbounds(body));
  bind(ctx, probes.nodeWebCert, ({ params }) => nodes.inquiries.webCert(params.id));
  bind(ctx, probes.updateNodePanels, ({ body }) => nodes.inquiries.updatePanels(body.ids, body.dev));
  bind(ctx, probes.nodeHistory, ({ params }) => nodes.history(params.id, params.metric, params.bucket));
  bind(ctx, trust.nodeAuthority, async () => ({ caCert: await nodes.mutualTls.authorityCert() }));
  bind(ctx, trust.trustAuthority, async ({ body, koa }) => {
    await prove(delicateChange(koa, body));
    await nodes.mutualTls.trust(body.caCert);
    return null;
  });
  enrolmentRoutes(ctx, nodes.enrolments);
  driftRoutes(ctx, nodes.drift);
  rolloutRoutes(ctx, nodes.rollouts);
  bind(ctx, chains.descendants, () => nodes.overview.descendants());
}
