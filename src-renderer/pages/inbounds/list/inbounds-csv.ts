import type { CountedInbound } from '#contract/inbounds';
import { csvFlag, csvTable, csvTime } from '../../../ui/csv/csv.ts';

export const inboundsCsv = csvTable<CountedInbound>({
  id: ({ id }) => id,
  tag: ({ tag }) => tag,
  name: ({ remark }) => remark,
  enabled: ({ enable }) => csvFlag(enable),
  protocol: ({ protocol }) => protocol,
  listen: ({ listen }) => listen,
  port: ({ port }) => port,
  node_id: ({ nodeId }) => nodeId ?? '',
  clients: ({ clientCount }) => clientCount,
  online: ({ onlineCount }) => onlineCount,
  up_bytes: ({ up }) => up,
  down_bytes: ({ down }) => down,
  quota_bytes: ({ total }) => total,
  expires: ({ expiryTime }) => csvTime(expiryTime),
});
