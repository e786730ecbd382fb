/** Names of colours by meaning; `palette.css` defines each for light and dark. */
export type Tone = 'blue' | 'orange' | 'green' | 'pink' | 'sky' | 'yellow' | 'violet' | 'red' | 'gray';

/** Colours for the parts of a chart, in order: neighbours differ in hue and lightness. */
const PARTS: readonly Tone[] = ['blue', 'orange', 'green', 'pink', 'yellow', 'violet', 'sky'];

/** Tones for the words of an inbound's kind; missing security stands out. */
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
  disabled: 'gray',
} as const satisfies Record<string, Tone>;

/** By how much of something is left. */
const SEVERITIES = { fine: 'blue', warning: 'yellow', danger: 'red' } as const satisfies Record<string, Tone>;

/** For log lines, by level or by the kind of an access. */
const LINES = {
  debug: 'gray',
  info: 'blue',
  warning: 'yellow',
  error: 'red',
  direct: 'green',
  proxied: 'violet',
  blocked: 'red',
} as const satisfies Record<string, Tone>;

/** For states of the core. */
const CORES = { running: 'green', stop: 'yellow', error: 'red' } as const satisfies Record<string, Tone>;

export const DIRECTIONS = { up: 'orange', down: 'blue' } as const satisfies Record<string, Tone>;

export const partTone = (at: number): Tone => PARTS[at % PARTS.length]!;
/** For a protocol, a transport or a security. */
export const kindTone = (word: string): Tone => KINDS[word] ?? 'gray';
export const stateTone = (state: keyof typeof STATES): Tone => STATES[state];
export const lineTone = (word: keyof typeof LINES): Tone => LINES[word];
export const coreTone = (state: keyof typeof CORES): Tone => CORES[state];
export const severityTone = (severity: keyof typeof SEVERITIES): Tone => SEVERITIES[severity];
