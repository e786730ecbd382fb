import { serverStatus } from './commands/admin-lists.ts';
import type { BotTools } from './commands/tools.ts';
import { clientCard } from './commands/client-card.ts';
import type { BotPanel } from './panel-port.ts';

/** Most clients named in a report. */
const MAX_NAMED = 20;
/** Clients read per batch. */
const PAGE_SIZE = 200;
/** Most clients notified of their own state in one report. */
const MAX_NOTIFIED = 10_000;

/** The scheduled report for admins: the server, the number of clients by state, and those that expire soon. */
export async function adminReport({ panel, say, format, clock }: BotTools): Promise<string[]> {
  const { summary, items } = await panel.page({
    filter: ['expiring'],
    sort: 'expiryTime',
    page: 1,
    pageSize: MAX_NAMED,
  });
  const expiring = items.map(({ email, totalGB, expiryTime, traffic }) =>
    say('report.client', {
      email,
      used: format.size(traffic.up + traffic.down),
      quota: format.quota(totalGB),
      expiry: format.expiry(expiryTime),
    }),
  );
  return [
    say('report.title', { schedule: panel.settings().tgRunTime, date: format.date(clock()) }),
    serverStatus({ panel, say, format }),
    say('report.counts', {
      total: summary.total,
      active: summary.active,
      expiring: summary.expiringCount,
      depleted: summary.depletedCount,
      deactive: summary.deactiveCount,
    }),
    ...(expiring.length === 0 ? [] : [say('report.expiring'), ...expiring]),
  ];
}

/** Clients that end soon, by the messaging id they are tied to. */
export async function endingByOwner(panel: BotPanel): Promise<Map<number, Set<string>>> {
  const ending = new Map<number, Set<string>>();
  for (let page = 1; page * PAGE_SIZE <= MAX_NOTIFIED; page += 1) {
    const { items } = await panel.page({
      filter: ['expiring'],
      hasTgId: true,
      sort: 'email',
      page,
      pageSize: PAGE_SIZE,
    });
    for (const [email, owner] of await panel.ownersOf(items.map((item) => item.email)))
      ending.set(owner, (ending.get(owner) ?? new Set()).add(email));
    if (items.length < PAGE_SIZE) break;
  }
  return ending;
}

/** The report for an owner: their clients that end soon, and those that are disabled. */
export async function ownReport(tools: BotTools, owner: number, ending: ReadonlySet<string>): Promise<string[]> {
  const clients = await Promise.all((await tools.panel.ownedBy(owner)).map((id) => tools.panel.clientById(id)));
  const cards = clients
    .filter((client) => client !== null)
    .filter(({ record }) => !record.enable || ending.has(record.email))
    .map((client) => clientCard(tools, client, false));
  return [tools.say('report.own'), ...cards];
}
