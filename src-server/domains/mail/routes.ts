import { bind, type BindContext } from '../../http/bind.ts';
import * as contract from './contract.ts';
import type { MailService } from './service.ts';

/** Mounts the test of the mail server. */
export function mailRoutes(ctx: BindContext, mail: MailService): void {
  bind(ctx, contract.testSmtp, async () => {
    const { stage, error } = await mail.test();
    if (error === null) return { success: true, stage, msg: ctx.say('mail.sent'), code: '', answer: '' };
    const { code, answer } = error;
    const text = ctx.say(code);
    return { success: false, stage, msg: answer === '' ? text : `${text}: ${answer}`, code, answer };
  });
}
