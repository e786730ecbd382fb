import * as z from 'zod';
import { endpoint } from '../../contract/endpoint.ts';
import { line } from '../../contract/line.ts';

const BASE = '/panel/api/core';
const Key = line(512).default('');
/** JSON text, or empty. */
const Text = z.string();

export const tunnelAction = endpoint('POST', `${BASE}/tunnel/:action`, {
  summary:
    'Tunnel provider: data, del, config, reg (privateKey, publicKey), license (license), changeIp or interval (interval).',
  params: z.object({
    /** What to do, one of the words of the summary. */
    action: z.string().max(32),
  }),
  body: z.object({
    /** WireGuard key of the device, base64; of `reg`. */
    privateKey: Key,
    /** Public half of that key, base64; of `reg`. */
    publicKey: Key,
    /** Licence key of the account; of `license`. */
    license: Key,
    /** Days between two changes of keys, 0 = never; of `interval`. */
    interval: z.union([z.string().max(32), z.number()]).default(''),
  }),
  result: Text,
});

export const vpnAction = endpoint('POST', `${BASE}/vpn/:action`, {
  summary: 'VPN provider: countries, servers (countryId), reg (token), setKey (key), data or del.',
  params: z.object({
    /** What to do, one of the words of the summary. */
    action: z.string().max(32),
  }),
  body: z.object({
    /** Number of the country, as `countries` answers it; of `servers`. */
    countryId: Key,
    /** Access token of the account; of `reg`. */
    token: line(4096).default(''),
    /** WireGuard private key of the account; of `setKey`. */
    key: Key,
  }),
  result: Text,
});
