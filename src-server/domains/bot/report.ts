import { serverStatus } from './commands/admin-lists.ts';
import type { BotTools } from './commands/tools.ts';
import { clientCard } from './commands/client-card.ts';
import type { BotPanel } from './panel-port.ts';

/** Clients that a report names. */
const MOST_NAMED = 20;
/** Clients that are looked at together. */
const PAGE_SIZE = 200;
/** Clients that are told of their own state in one report. */
const MOST_TOLD = 10_000;

/** What admins are told by schedule: the server, how many clients are in which state, whose time is nearly over. */
export async function adminReport({ panel, say, format, clock }: BotTools): Promise<string[]> {
  const { summary, items } = await panel.page({
    filter: ['expiring'],
    sort: 'expiryTime',
    page: 1,
    pageSize: MOST_NAMED,
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

/** Clients that are about to end, by the messaging id they are tied to. */
export async function endingByOwner(panel: BotPanel): Promise<Map<number, Set<string>>> {
  const ending = new Map<number, Set<string>>();
  for (let page = 1; page * PAGE_SIZE <= MOST_TOLD; page += 1) {
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

/** What an owner is told: the own clients that are about to end, and those that are off. */
export async function ownReport(tools: BotTools, owner: number, ending: ReadonlySet<string>): Promise<string[]> {
  const clients = await Promise.all((await tools.panel.ownedBy(owner)).map((id) => tools.panel.clientById(id)));
  const cards = clients
    .filter((client) => client !== null)
    .filter(({ record }) => !record.enable || ending.has(record.email))
    .map((client) => clientCard(tools, client, false));
  return [tools.say('report.own'), ...cards];
}
