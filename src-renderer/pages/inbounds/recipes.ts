import type { JsonObject } from '#wire/json';
import type { Protocol } from '#wire/protocol-catalogue';

/** What a recipe asks for besides name and port. */
export type Need = 'target' | 'domain' | 'certificate';

interface Traits {
  protocol: Protocol;
  network: string;
  need: Need | null;
  /** Key pairs it needs. */
  pairs: number;
  /** Its usual port; when that is taken, or absent, any free port will do. */
  port?: number;
}

/** Ready-made inbounds that work without knowledge of the protocols. */
export const RECIPE_TRAITS = {
  reality: { protocol: 'vless', network: 'tcp', need: 'target', pairs: 1, port: 443 },
  xhttp: { protocol: 'vless', network: 'xhttp', need: 'target', pairs: 1, port: 443 },
  xhttpCdn: { protocol: 'vless', network: 'xhttp', need: 'domain', pairs: 0, port: 8080 },
  websocket: { protocol: 'vless', network: 'ws', need: 'domain', pairs: 0, port: 8080 },
  hysteria2: { protocol: 'hysteria2', network: 'hysteria', need: 'certificate', pairs: 0, port: 443 },
  trojan: { protocol: 'trojan', network: 'tcp', need: 'certificate', pairs: 0, port: 443 },
  shadowsocks: { protocol: 'shadowsocks', network: 'tcp', need: null, pairs: 0 },
  wireguard: { protocol: 'wireguard', network: '', need: null, pairs: 2, port: 51_820 },
} as const satisfies Record<string, Traits>;
export type Recipe = keyof typeof RECIPE_TRAITS;
export const RECIPES = Object.keys(RECIPE_TRAITS) as Recipe[];
export const traitsOf = (recipe: Recipe): Traits => RECIPE_TRAITS[recipe];

export interface RecipeForm {
  recipe: Recipe;
  remark: string;
  port: number;
  /** `name:port` of the site that REALITY imitates. */
  target: string;
  /** Domain at the CDN, empty = none yet. */
  domain: string;
  /** Paths of the certificate on the machine. */
  certFile: string;
  keyFile: string;
  /**
   * Whether REALITY takes apps on other engines: they claim versions that the core refuses by default, because any
   * version makes the server easier to recognise.
   */
  admitsOtherEngines: boolean;
}

/** As the panel's generator returns it: base64url without padding. */
export interface KeyPair {
  privateKey: string;
  publicKey: string;
}

/** Unpredictable bytes. */
type RandomBytes = (count: number) => Uint8Array;
/** An inbound in the panel's wire format. */
interface Made {
  protocol: Protocol;
  settings: JsonObject;
  streamSettings: JsonObject;
}

const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const base64 = (bytes: Uint8Array): string => btoa(String.fromCodePoint(...bytes));
/** WireGuard writes keys in standard base64. */
const standard = (key: string): string => `${key.replaceAll('-', '+').replaceAll('_', '/')}=`;

/** A port below the system's range for outgoing connections. */
export function randomPort(random: RandomBytes): number {
  const [high = 0, low = 0] = random(2);
  return 10_000 + (((high << 8) | low) % 20_000);
}

/** Builds the inbound of a recipe. @param pairs as many as the recipe needs */
export function inboundOf(form: RecipeForm, pairs: readonly KeyPair[], random: RandomBytes) {
  return {
    enable: true,
    remark: form.remark.trim(),
    listen: '',
    port: form.port,
    sniffing: { enabled: false },
    ...MAKERS[form.recipe](form, pairs, random),
  };
}

/** The address at which apps reach the inbound through a CDN; null = none, or not yet. */
export function hostOf(form: RecipeForm, inboundId: number) {
  const domain = form.domain.trim();
  if (traitsOf(form.recipe).need !== 'domain' || domain === '') return null;
  return {
    inboundId,
    remark: form.remark.trim() || domain,
    address: domain,
    port: 443,
    security: 'tls' as const,
    sni: domain,
    hostHeader: domain,
    fingerprint: 'chrome',
    // The upgrade to WebSocket works over HTTP/1.1 only.
    alpn: form.recipe === 'websocket' ? ['http/1.1' as const] : ['h2' as const, 'http/1.1' as const],
  };
}

const VLESS = { protocol: 'vless', settings: { decryption: 'none', encryption: 'none' } } as const;

function reality({ target, admitsOtherEngines }: RecipeForm, [pair]: readonly KeyPair[], random: RandomBytes) {
  return {
    security: 'reality',
    realitySettings: {
      target,
      serverNames: [target.replace(/:\d+$/, '')],
      privateKey: pair?.privateKey ?? '',
      shortIds: [hex(random(4))],
      ...(admitsOtherEngines && { minClientVer: '0.0.0' }),
      settings: { publicKey: pair?.publicKey ?? '', fingerprint: 'chrome', spiderX: '/' },
    },
  };
}

function tls({ certFile, keyFile }: RecipeForm, alpn: string[], fingerprint: string) {
  return {
    security: 'tls',
    tlsSettings: {
      certificates: [{ certificateFile: certFile.trim(), keyFile: keyFile.trim() }],
      alpn,
      settings: { fingerprint },
    },
  };
}

type Maker = (form: RecipeForm, pairs: readonly KeyPair[], random: RandomBytes) => Made;
const MAKERS: Readonly<Record<Recipe, Maker>> = {
  reality: (form, pairs, random) => ({
    ...VLESS,
    streamSettings: { network: 'tcp', ...reality(form, pairs, random) },
  }),
  xhttp: (form, pairs, random) => ({
    ...VLESS,
    streamSettings: {
      network: 'xhttp',
      xhttpSettings: { path: `/${hex(random(6))}`, mode: 'auto' },
      ...reality(form, pairs, random),
    },
  }),
  xhttpCdn: (_form, _pairs, random) => ({
    ...VLESS,
    // Short uploads pass every CDN; some hold long ones back.
    streamSettings: {
      network: 'xhttp',
      security: 'none',
      xhttpSettings: { path: `/${hex(random(6))}`, mode: 'packet-up' },
    },
  }),
  websocket: (_form, _pairs, random) => ({
    ...VLESS,
    streamSettings: { network: 'ws', security: 'none', wsSettings: { path: `/${hex(random(6))}` } },
  }),
  hysteria2: (form) => ({
    protocol: 'hysteria2',
    settings: { version: 2 },
    streamSettings: { network: 'hysteria', hysteriaSettings: { version: 2 }, ...tls(form, ['h3'], '') },
  }),
  trojan: (form) => ({
    protocol: 'trojan',
    settings: {},
    streamSettings: { network: 'tcp', ...tls(form, ['h2', 'http/1.1'], 'chrome') },
  }),
  shadowsocks: (_form, _pairs, random) => ({
    protocol: 'shadowsocks',
    settings: { method: '2022-blake3-aes-128-gcm', password: base64(random(16)), network: 'tcp,udp' },
    streamSettings: { network: 'tcp', security: 'none' },
  }),
  wireguard: (_form, [own, peer]) => ({
    protocol: 'wireguard',
    settings: {
      mtu: 1420,
      secretKey: standard(own?.privateKey ?? ''),
      noKernelTun: true,
      peers: [
        {
          privateKey: standard(peer?.privateKey ?? ''),
          publicKey: standard(peer?.publicKey ?? ''),
          allowedIPs: ['10.0.0.2/32'],
          comment: 'peer-1',
        },
      ],
    },
    streamSettings: {},
  }),
};
