import * as z from 'zod';
import { endpoint } from '../../contract/endpoint.ts';
import { line } from '../../contract/line.ts';

const BASE = '/panel/api/core';
const Key = line(512).default('');
/** JSON text, or empty. */
const Text = z.string();

export const tunnelAction = endpoint({
  method: 'POST',
  path: `${BASE}/tunnel/:action`,
  summary:
    'Tunnel provider: data, del, config, reg (privateKey, publicKey), license (license), changeIp or interval (interval)',
  encoding: 'either',
  params: z.object({ action: z.string().max(32) }),
  body: z.object({
    privateKey: Key,
    publicKey: Key,
    license: Key,
    /** Days between two changes of keys, 0 = never. */
    interval: z.union([z.string().max(32), z.number()]).default(''),
  }),
  result: Text,
});

export const vpnAction = endpoint({
  method: 'POST',
  path: `${BASE}/vpn/:action`,
  summary: 'VPN provider: countries, servers (countryId), reg (token), setKey (key), data or del',
  encoding: 'either',
  params: z.object({ action: z.string().max(32) }),
  body: z.object({ countryId: Key, token: line(4096).default(''), key: Key }),
  result: Text,
});
