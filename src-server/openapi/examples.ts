const GIB = 1024 ** 3;
/** 2030-01-01 in UTC. */
const NEW_YEAR_2030_MS = 1_893_456_000_000;

const CLIENT = {
  email: 'alice',
  totalGB: 50 * GIB,
  expiryTime: NEW_YEAR_2030_MS,
  limitIp: 2,
  group: 'friends',
  comment: 'Paid until the end of 2029',
};
const INBOUND = {
  remark: 'VLESS behind a web server',
  listen: '127.0.0.1',
  port: 18_443,
  protocol: 'vless',
  settings: { decryption: 'none' },
  streamSettings: { network: 'ws', security: 'none', wsSettings: { path: '/chat' } },
};
const PLAN = { name: 'Month', quotaBytes: 100 * GIB, days: 30, startsAtFirstUse: true, limitIp: 3 };

/**
 * Bodies of the calls that programs make most, by method and path. They tell one story: an empty panel accepts them in
 * this order, with `alice` and 1 in their paths.
 */
export const EXAMPLES: Readonly<Record<string, unknown>> = {
  'POST /panel/api/inbounds/add': INBOUND,
  'POST /panel/api/inbounds/update/:id': { ...INBOUND, remark: 'VLESS for friends' },
  'POST /panel/api/inbounds/setEnable/:id': { enable: true },
  'POST /panel/api/clients/groups/create': { name: 'friends' },
  'POST /panel/api/plans/add': PLAN,
  'POST /panel/api/plans/update/:id': { ...PLAN, quotaBytes: 200 * GIB },
  'POST /panel/api/clients/add': { client: CLIENT, inboundIds: [1] },
  'POST /panel/api/clients/update/:email': { ...CLIENT, totalGB: 100 * GIB },
  'POST /panel/api/clients/bulkCreate': [
    { client: { email: 'bob', totalGB: 20 * GIB, expiryTime: NEW_YEAR_2030_MS }, inboundIds: [1] },
    { client: { email: 'carol', planId: 1 }, inboundIds: [1] },
  ],
  'POST /panel/api/clients/:email/detach': { inboundIds: [1] },
  'POST /panel/api/clients/:email/attach': { inboundIds: [1] },
  'POST /panel/api/clients/bulkDetach': { emails: ['bob', 'carol'], inboundIds: [1] },
  'POST /panel/api/clients/bulkAttach': { emails: ['bob', 'carol'], inboundIds: [1] },
  'POST /panel/api/clients/bulkAdjust': { emails: ['alice', 'bob'], addDays: 30, addBytes: 10 * GIB },
  'POST /panel/api/clients/bulkDisable': { emails: ['bob'] },
  'POST /panel/api/clients/bulkEnable': { emails: ['bob'] },
  'POST /panel/api/clients/bulkResetTraffic': { emails: ['alice', 'bob'] },
  'POST /panel/api/clients/updateTraffic/:email': { upload: GIB, download: 5 * GIB },
  'POST /panel/api/clients/:email/externalLinks': {
    externalLinks: [{ kind: 'subscription', value: 'https://example.com/sub/alice', remark: 'Second provider' }],
  },
  'POST /panel/api/clients/groups/bulkAdd': { emails: ['bob', 'carol'], group: 'friends' },
  'POST /panel/api/clients/groups/rename': { oldName: 'friends', newName: 'family' },
  'POST /panel/api/clients/groups/bulkRemove': { emails: ['carol'] },
  'POST /panel/api/plans/preview/:id': { emails: ['bob'], parts: ['quota', 'term'] },
  'POST /panel/api/plans/apply/:id': { emails: ['bob'], parts: ['quota', 'term'] },
  'POST /panel/api/clients/bulkDel': { emails: ['carol'], keepTraffic: false },
  'POST /panel/api/hosts/add': { inboundId: 1, remark: 'CDN', address: 'cdn.example.com', port: 443, security: 'tls' },
  'POST /panel/api/hosts/bulk/add': {
    inboundIds: [1],
    hosts: ['de.example.com', 'fr.example.com:8443'],
    remark: '{{EMAIL}}',
    port: 443,
    security: 'tls',
  },
  'POST /panel/api/hosts/setEnable/:id': { enable: false },
  'POST /panel/api/setting/update': { pageSize: 50, sessionMaxAge: 720, timeLocation: 'Europe/Berlin' },
  'POST /panel/api/setting/apiTokens/create': { name: 'billing' },
  'POST /panel/api/webhooks/save': {
    name: 'billing',
    url: 'https://example.com/hooks/panel',
    kinds: ['client.depleted', 'client.expired'],
    secret: 'a long random text',
  },
  'POST /panel/api/server/logs/:count': { level: 'warning' },
};
