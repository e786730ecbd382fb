/** Names of colours that have a meaning; `palette.css` gives each its look in light and dark. */
export type Tone = 'blue' | 'orange' | 'green' | 'pink' | 'sky' | 'yellow' | 'violet' | 'red' | 'gray';

/** Parts of a chart, in order: neighbours differ in hue and lightness. */
const PARTS: readonly Tone[] = ['blue', 'orange', 'green', 'pink', 'yellow', 'violet', 'sky'];

/** What words of an inbound's kind look like; the security stands out where there is none. */
const KINDS: Readonly<Record<string, Tone>> = {
  vless: 'blue',
  vmess: 'violet',
  trojan: 'pink',
  shadowsocks: 'green',
  hysteria: 'orange',
  wireguard: 'yellow',
  tcp: 'gray',
  raw: 'gray',
  ws: 'sky',
  grpc: 'sky',
  httpupgrade: 'sky',
  xhttp: 'sky',
  kcp: 'orange',
  reality: 'green',
  tls: 'green',
};

const STATES = {
  active: 'green',
  online: 'green',
  expiring: 'yellow',
  expired: 'red',
  exhausted: 'red',
  deactive: 'gray',
} as const satisfies Record<string, Tone>;

/** How much of something is left. */
const SEVERITIES = { fine: 'blue', warning: 'yellow', danger: 'red' } as const satisfies Record<string, Tone>;

/** Of lines of a log, by their level or by the way of an access. */
const LINES = {
  debug: 'gray',
  info: 'blue',
  warning: 'yellow',
  error: 'red',
  direct: 'green',
  proxied: 'violet',
  blocked: 'red',
} as const satisfies Record<string, Tone>;

/** Of the core. */
const CORES = { running: 'green', stop: 'yellow', error: 'red' } as const satisfies Record<string, Tone>;

export const DIRECTIONS = { up: 'orange', down: 'blue' } as const satisfies Record<string, Tone>;

export const partTone = (at: number): Tone => PARTS[at % PARTS.length]!;
/** Of a protocol, a transport or a security. */
export const kindTone = (word: string): Tone => KINDS[word] ?? 'gray';
export const stateTone = (state: keyof typeof STATES): Tone => STATES[state];
export const lineTone = (word: keyof typeof LINES): Tone => LINES[word];
export const coreTone = (state: keyof typeof CORES): Tone => CORES[state];
export const severityTone = (severity: keyof typeof SEVERITIES): Tone => SEVERITIES[severity];
