import type { Group } from '#contract/groups';
import { csvTable } from '../../ui/csv/csv.ts';

export const groupsCsv = csvTable<Group>({
  name: ({ name }) => name,
  clients: ({ clientCount }) => clientCount,
  up_bytes: ({ up }) => up,
  down_bytes: ({ down }) => down,
  shown_bytes: ({ trafficUsed }) => trafficUsed,
});
