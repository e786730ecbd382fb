import type { NodeDetails } from './contract.ts';

/** Input for a new node, entered manually or by tests; omitted fields take their defaults. */
export type NewNode = Partial<NodeDetails> & Pick<NodeDetails, 'name' | 'address' | 'port' | 'scheme'>;

/** The columns that the details of a node fill; omitted fields take their defaults. */
export function columnsOf(details: Omit<NewNode, 'apiToken' | 'clearApiToken' | 'enable'>) {
  const { inboundSyncMode = 'all', inboundTags = [], allowPrivateAddress = false } = details;
  return {
    name: details.name,
    remark: details.remark ?? '',
    scheme: details.scheme,
    address: details.address,
    port: details.port,
    basePath: details.basePath ?? '/',
    allowPrivateAddress: allowPrivateAddress ? (1 as const) : (0 as const),
    tlsVerifyMode: details.tlsVerifyMode ?? 'verify',
    pinnedCertSha256: details.pinnedCertSha256 ?? '',
    inboundSyncMode,
    inboundTags: JSON.stringify(inboundSyncMode === 'all' ? [] : inboundTags),
    outboundTag: details.outboundTag ?? '',
    ...(details.remoteEdits === undefined ? {} : { remoteEdits: details.remoteEdits }),
  };
}
