import type { LiveSession } from '#contract/liveSessions';
import { csvTable, csvTime } from '../../ui/csv/csv.ts';

export const sessionsCsv = csvTable<LiveSession>({
  email: ({ email }) => email,
  panel_guid: ({ guid }) => guid,
  panel: ({ place }) => place,
  inbounds: ({ inbounds }) => inbounds.map(({ name }) => name).join(' '),
  addresses: ({ addresses }) => addresses.map(({ ip }) => ip).join(' '),
  since: ({ since }) => csvTime(since),
  up_bytes_per_second: ({ up }) => up ?? '',
  down_bytes_per_second: ({ down }) => down ?? '',
});
