import type { JsonObject } from '#wire/json';
import type { Protocol } from '#wire/protocol-catalogue';

interface Members {
  /** Members of the settings that it uses. */
  settings: readonly string[];
  /** Members of the stream settings that it keeps although it has no transport; null = it has no stream settings. */
  stream: readonly string[] | null;
}

const HYSTERIA: Members = { settings: ['clients', 'version'], stream: [] };

/** The members of an inbound that belong to each protocol. */
export const MEMBERS: Readonly<Record<Protocol, Members>> = {
  vless: { settings: ['clients', 'decryption', 'encryption', 'fallbacks', 'testseed'], stream: [] },
  vmess: { settings: ['clients'], stream: [] },
  trojan: { settings: ['clients', 'fallbacks'], stream: [] },
  shadowsocks: { settings: ['clients', 'method', 'password', 'network', 'ivCheck'], stream: [] },
  hysteria: HYSTERIA,
  hysteria2: HYSTERIA,
  wireguard: {
    settings: ['secretKey', 'mtu', 'noKernelTun', 'peers', 'dns', 'domainStrategy', 'address', 'reserved'],
    stream: ['sockopt', 'finalmask'],
  },
  http: { settings: ['accounts', 'allowTransparent'], stream: null },
  mixed: { settings: ['accounts', 'auth', 'udp', 'ip'], stream: null },
  tunnel: {
    settings: ['rewriteAddress', 'rewritePort', 'allowedNetwork', 'portMap', 'followRedirect'],
    stream: ['sockopt'],
  },
};

/** Initial settings of a new inbound; secrets come from the generators. */
export const FRESH_SETTINGS: Readonly<Record<Protocol, JsonObject>> = {
  vless: { decryption: 'none', encryption: 'none' },
  vmess: {},
  trojan: {},
  shadowsocks: { method: '2022-blake3-aes-256-gcm', network: 'tcp,udp' },
  hysteria: { version: 2 },
  hysteria2: { version: 2 },
  wireguard: { mtu: 1420, peers: [] },
  http: { accounts: [], allowTransparent: false },
  mixed: { auth: 'password', accounts: [], udp: false },
  tunnel: { allowedNetwork: 'tcp,udp' },
};

/** The key of each transport's settings. */
export const settingsKeyOf = (transport: string): string => `${transport}Settings`;
