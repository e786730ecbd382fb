/** Ways to make an inbound that works without knowing the protocols. */
export const RECIPES = ['reality', 'websocket', 'shadowsocks'] as const;
export type Recipe = (typeof RECIPES)[number];

export interface RecipeForm {
  recipe: Recipe;
  remark: string;
  port: number;
  /** `name:port` of the site that REALITY answers as; of that recipe only. */
  target: string;
}

export interface RealityKeys {
  privateKey: string;
  publicKey: string;
}

/** Unguessable bytes. */
type RandomBytes = (count: number) => Uint8Array;

const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const base64 = (bytes: Uint8Array): string => btoa(String.fromCodePoint(...bytes));

/** A port below the ones the system lends to outgoing connections. */
export function randomPort(random: RandomBytes): number {
  const [high = 0, low = 0] = random(2);
  return 10_000 + (((high << 8) | low) % 20_000);
}

/** The inbound of a recipe, as the panel takes it. @param keys of the REALITY recipe; null for the others. */
export function inboundOf(form: RecipeForm, keys: RealityKeys | null, random: RandomBytes) {
  const common = {
    enable: true,
    remark: form.remark.trim(),
    listen: '',
    port: form.port,
    sniffing: { enabled: false },
  };
  if (form.recipe === 'shadowsocks')
    return {
      ...common,
      protocol: 'shadowsocks' as const,
      settings: { method: '2022-blake3-aes-128-gcm', password: base64(random(16)), network: 'tcp,udp' },
      streamSettings: { network: 'tcp', security: 'none' },
    };
  const vless = { ...common, protocol: 'vless' as const, settings: { decryption: 'none', encryption: 'none' } };
  if (form.recipe === 'websocket')
    return {
      ...vless,
      streamSettings: { network: 'ws', security: 'none', wsSettings: { path: `/${hex(random(6))}` } },
    };
  return {
    ...vless,
    streamSettings: {
      network: 'tcp',
      security: 'reality',
      realitySettings: {
        target: form.target,
        serverNames: [form.target.replace(/:\d+$/, '')],
        privateKey: keys?.privateKey ?? '',
        shortIds: [hex(random(4))],
        settings: { publicKey: keys?.publicKey ?? '', fingerprint: 'chrome', spiderX: '/' },
      },
    },
  };
}
