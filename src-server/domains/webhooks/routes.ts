import { bind, type BindContext } from '../../http/bind.ts';
import * as contract from './contract.ts';
import type { WebhookService } from './service.ts';

/** Mounts the webhooks. */
export function webhookRoutes(ctx: BindContext, webhooks: WebhookService): void {
  bind(ctx, contract.listWebhooks, () => webhooks.list());
  bind(ctx, contract.saveWebhook, ({ body }) => webhooks.save(body));
  bind(ctx, contract.deleteWebhook, async ({ params }) => {
    await webhooks.delete(params.id);
    return null;
  });
  bind(ctx, contract.testWebhook, ({ params }) => webhooks.test(params.id));
  bind(ctx, contract.listWebhookAttempts, ({ params }) => webhooks.attempts(params.id));
  bind(ctx, contract.resendWebhookAttempt, ({ params }) => webhooks.resend(params.id));
}
