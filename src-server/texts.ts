import { texts as bot } from './domains/bot/texts.ts';
import { texts as backup } from './domains/backup/texts.ts';
import { texts as certificates } from './domains/certificates/texts.ts';
import { texts as databaseImport } from './domains/import/texts.ts';
import { texts as clientIps } from './domains/clientIps/texts.ts';
import { texts as clients } from './domains/clients/texts.ts';
import { texts as coreFiles } from './domains/coreFiles/texts.ts';
import { texts as coreSettings } from './domains/coreSettings/texts.ts';
import { texts as directory } from './domains/directory/texts.ts';
import { texts as events } from './domains/events/texts.ts';
import { texts as groups } from './domains/groups/texts.ts';
import { texts as hosts } from './domains/hosts/texts.ts';
import { texts as inbounds } from './domains/inbounds/texts.ts';
import { texts as journal } from './domains/journal/texts.ts';
import { texts as jobs } from './domains/jobs/texts.ts';
import { texts as logs } from './domains/logs/texts.ts';
import { texts as mail } from './domains/mail/texts.ts';
import { texts as metrics } from './domains/metrics/texts.ts';
import { texts as nodes } from './domains/nodes/texts.ts';
import { texts as outboundSubs } from './domains/outboundSubs/texts.ts';
import { texts as plans } from './domains/plans/texts.ts';
import { texts as panelUpdate } from './domains/panelUpdate/texts.ts';
import { texts as providers } from './domains/providers/texts.ts';
import { texts as realityScan } from './domains/realityScan/texts.ts';
import { texts as server } from './domains/server/texts.ts';
import { texts as session } from './domains/session/texts.ts';
import { texts as settings } from './domains/settings/texts.ts';
import { texts as tokens } from './domains/tokens/texts.ts';
import { texts as traffic } from './domains/traffic/texts.ts';
import { texts as savedViews } from './domains/savedViews/texts.ts';
import { texts as webhooks } from './domains/webhooks/texts.ts';
import { texts as http, type Texts } from './http/texts.ts';
import { texts as secrets } from './store/secrets/texts.ts';
import { texts as store } from './store/texts.ts';

/** Every English text that the server can answer with, by its key. */
export const ENGLISH: Texts = {
  ...http,
  ...store,
  ...secrets,
  ...session,
  ...tokens,
  ...settings,
  ...coreSettings,
  ...outboundSubs,
  ...nodes,
  ...providers,
  ...coreFiles,
  ...server,
  ...realityScan,
  ...panelUpdate,
  ...plans,
  ...jobs,
  ...journal,
  ...metrics,
  ...logs,
  ...backup,
  ...bot,
  ...databaseImport,
  ...directory,
  ...certificates,
  ...hosts,
  ...inbounds,
  ...clients,
  ...clientIps,
  ...groups,
  ...traffic,
  ...savedViews,
  ...events,
  ...mail,
  ...webhooks,
};
