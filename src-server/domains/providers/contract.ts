import * as z from 'zod';
import { endpoint } from '../../contract/endpoint.ts';
import { line } from '../../contract/fields/line.ts';

const BASE = '/panel/api/core';
const Key = line(512).default('');
/** JSON text, or empty. */
const Text = z.string();

export const tunnelAction = endpoint('POST', `${BASE}/tunnel/:action`, {
  summary:
    'Tunnel provider: data, del, config, reg (privateKey, publicKey), license (license), changeIp or interval (interval).',
  params: z.object({
    /** Action, one of those listed in the summary. */
    action: z.string().max(32),
  }),
  body: z.object({
    /** WireGuard private key of the device, base64; for `reg`. */
    privateKey: Key,
    /** Public key of the device, base64; for `reg`. */
    publicKey: Key,
    /** Licence key of the account; for `license`. */
    license: Key,
    /** Days between key rotations, 0 = never; for `interval`. */
    interval: z.union([z.string().max(32), z.number()]).default(''),
  }),
  result: Text,
});

export const vpnAction = endpoint('POST', `${BASE}/vpn/:action`, {
  summary: 'VPN provider: countries, servers (countryId), reg (token), setKey (key), data or del.',
  params: z.object({
    /** Action, one of those listed in the summary. */
    action: z.string().max(32),
  }),
  body: z.object({
    /** Id of the country, as returned by `countries`; for `servers`. */
    countryId: Key,
    /** Access token of the account; for `reg`. */
    token: line(4096).default(''),
    /** WireGuard private key of the account; for `setKey`. */
    key: Key,
  }),
  result: Text,
});
