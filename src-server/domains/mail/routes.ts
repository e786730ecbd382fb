import { bind, type BindContext } from '../../http/bind.ts';
import * as contract from './contract.ts';
import type { ClientMail } from './client-mail.ts';
import type { MailService } from './service.ts';

/**
 * Mounts the mail server's test, and e-mail to clients. Their paths begin like those of clients, so they are mounted
 * first.
 */
export function mailRoutes(ctx: BindContext, mail: MailService, clients: ClientMail): void {
  bind(ctx, contract.testSmtp, async () => {
    const { stage, error } = await mail.test();
    if (error === null) return { success: true, stage, msg: ctx.say('mail.sent'), code: '', answer: '' };
    const { code, reply } = error;
    const text = ctx.say(code);
    return { success: false, stage, msg: reply === '' ? text : `${text}: ${reply}`, code, answer: reply };
  });
  bind(ctx, contract.sendClientLink, async ({ params }) => {
    await clients.sendLink(params.email);
    return null;
  });
  bind(ctx, contract.bulkSendClientLinks, ({ body }) => clients.sendLinks(body.emails));
  bind(ctx, contract.getClientMail, ({ params }) => clients.choice(params.email));
  bind(ctx, contract.setClientMail, async ({ params, body, request }) => {
    await clients.choose(params.email, body.isStopped, request.requestId);
    return null;
  });
}
