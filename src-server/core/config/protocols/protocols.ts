import { http } from './http.ts';
import { hysteria } from './hysteria.ts';
import { mixed } from './mixed.ts';
import type { Protocol } from './protocol.ts';
import { shadowsocks } from './shadowsocks.ts';
import { trojan } from './trojan.ts';
import { tun } from './tun.ts';
import { tunnel } from './tunnel.ts';
import { vless } from './vless.ts';
import { vmess } from './vmess.ts';
import { wireguard } from './wireguard.ts';

/** Adding a protocol adds a file and one entry. */
const ALL: readonly Protocol[] = [vless, vmess, trojan, shadowsocks, hysteria, wireguard, http, mixed, tunnel, tun];

const BY_NAME = new Map(ALL.flatMap((protocol) => protocol.names.map((name) => [name, protocol] as const)));

/** Null when the core has no such protocol. Letter case does not matter, as in the core. */
export function protocolOf(name: string): Protocol | null {
  return BY_NAME.get(name.toLowerCase()) ?? null;
}

/** The panel's spelling: `socks` is `mixed`, `dokodemo-door` is `tunnel`; `hysteria2` stays, unknown names too. */
export function panelName(name: string): string {
  const known = name.toLowerCase();
  if (known === 'hysteria2') return known;
  return BY_NAME.get(known)?.names[0] ?? name;
}
