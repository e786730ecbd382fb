import { bind, type BindContext } from '../../http/bind.ts';
import { delicateChange } from '../../http/guards/delicate-change.ts';
import type { DelicateChange } from '../session/credentials.ts';
import { enrolmentRoutes } from './enrolment/routes.ts';
import { driftRoutes } from './drift/routes.ts';
import { rolloutRoutes } from './rollout/routes.ts';
import * as contract from './contract.ts';
import type { NodeService } from './service.ts';

/** Mounts the nodes. `prove` asks an older session for its password or code before another panel is let in. */
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
  bind(ctx, contract.listNodePlans, ({ params }) => nodes.plans.list(params.id));
  bind(ctx, contract.confirmNodePlan, async ({ params, body }) => {
    await nodes.plans.confirm(params.id, body.digest);
    return null;
  });
  bind(ctx, contract.takeBackNodePlan, async ({ params, body }) => {
    await nodes.plans.takeBack(params.id, body.digest);
    return null;
  });
  bind(ctx, contract.testNode, ({ body }) => nodes.inquiries.test(body));
  bind(ctx, contract.probeNode, ({ params }) => nodes.probe(params.id));
  bind(ctx, contract.certFingerprint, ({ body }) => nodes.inquiries.certFingerprint(body));
  bind(ctx, contract.nodeInbounds, ({ body }) => nodes.inquiries.inbounds(body));
  bind(ctx, contract.nodeWebCert, ({ params }) => nodes.inquiries.webCert(params.id));
  bind(ctx, contract.updateNodePanels, ({ body }) => nodes.inquiries.updatePanels(body.ids, body.dev));
  bind(ctx, contract.nodeHistory, ({ params }) => nodes.history(params.id, params.metric, params.bucket));
  bind(ctx, contract.nodeAuthority, async () => ({ caCert: await nodes.mutualTls.authorityCert() }));
  bind(ctx, contract.trustAuthority, async ({ body, koa }) => {
    await prove(delicateChange(koa, body));
    await nodes.mutualTls.trust(body.caCert);
    return null;
  });
  enrolmentRoutes(ctx, nodes.enrolments);
  driftRoutes(ctx, nodes.drift);
  rolloutRoutes(ctx, nodes.rollouts);
  bind(ctx, contract.descendants, () => nodes.overview.descendants());
}
