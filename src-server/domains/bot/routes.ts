import { respondEmpty } from '../../http/responses.ts';
import { bind, type BindContext } from '../../http/bind.ts';
import * as contract from './contract.ts';
import type { BotService } from './service.ts';

/** Mounts the calls of the messaging bot. */
export function botRoutes(ctx: BindContext, bot: BotService): void {
  bind(ctx, contract.getBotState, () => bot.state());
  bind(ctx, contract.testBot, () => bot.test());
  bind(ctx, contract.backupToBot, () => bot.sendBackup());
  bind(ctx, contract.linkClientToBot, ({ params }) => bot.linkFor(params.email));
  bind(ctx, contract.takeBotUpdate, async ({ params, body, koa }) => {
    const header = koa.get('X-Telegram-Bot-Api-Secret-Token');
    // A caller that does not prove to be the API server gets the response of an unknown path.
    respondEmpty(koa, (await bot.takeUpdate({ path: params.secret, header }, body)) ? 200 : 404);
    return '';
  });
}
