import type { Plan } from '#contract/plans';
import { csvFlag, csvTable } from '../../ui/csv/csv.ts';

export const plansCsv = csvTable<Plan>({
  id: ({ id }) => id,
  name: ({ name }) => name,
  clients: ({ clientCount }) => clientCount,
  quota_bytes: ({ quotaBytes }) => quotaBytes,
  days: ({ days }) => days || '',
  starts_at_first_use: ({ startsAtFirstUse }) => csvFlag(startsAtFirstUse),
  renewal_days: ({ reset }) => reset || '',
  renewal_day_of_month: ({ resetDay }) => resetDay || '',
  address_limit: ({ limitIp }) => limitIp || '',
  group: ({ group }) => group,
  flow: ({ flow }) => flow,
  inbound_ids: ({ inboundIds }) => inboundIds.join(' '),
});
