import type { Host } from '#contract/hosts';
import { csvFlag, csvTable } from '../../ui/csv/csv.ts';

export const hostsCsv = csvTable<Host>({
  id: ({ id }) => id,
  inbound_id: ({ inboundId }) => inboundId,
  name: ({ remark }) => remark,
  enabled: ({ enable }) => csvFlag(enable),
  address: ({ address }) => address,
  port: ({ port }) => port || '',
  security: ({ security }) => security,
  sni: ({ sni }) => sni,
  tags: ({ tags }) => tags.join(' '),
});
