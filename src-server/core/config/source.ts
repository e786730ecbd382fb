/**
 * What the core config is built from: plain data read from the store, free of panel bookkeeping. Everything here is
 * input of pure functions, so a config can be built, compared and tested without a database or a process.
 */
export type { Json, JsonObject } from '../../contract/json.ts';
import type { JsonObject } from '../../contract/json.ts';

/**
 * One client as an inbound sees it. Values are the effective ones of this attachment (password override, flow only
 * where it works).
 */
export interface ClientSource {
  email: string;
  /** UUID of vless and vmess; empty when the client has none. */
  id: string;
  /** Trojan and shadowsocks. For 2022 ciphers base64 of exactly the cipher's key length. */
  password: string;
  /** Hysteria. */
  auth: string;
  /** Empty or a vision flow, already cleared where the inbound cannot use it. */
  flow: string;
  /** Tag of the vless reverse proxy, empty = none. */
  reverseTag: string;
}

/** One fallback row of a master inbound, in emission order. */
export interface FallbackSource {
  name: string;
  alpn: string;
  path: string;
  /** Empty: the child's own address is used. */
  dest: string;
  /** PROXY protocol version, 0..2. */
  xver: number;
  /** The child inbound, or null when the rule names none or it no longer exists. */
  child: { listen: string; port: number } | null;
}

/** An inbound that should run on this panel's core: enabled, local, with the clients that may connect now. */
export interface InboundSource {
  id: number;
  tag: string;
  listen: string;
  port: number;
  protocol: string;
  /** As stored: panel keys included, clients excluded. */
  settings: JsonObject;
  streamSettings: JsonObject | null;
  sniffing: JsonObject | null;
  /** Enabled and not depleted, ordered by record id. */
  clients: readonly ClientSource[];
  fallbacks: readonly FallbackSource[];
}

/** A loopback inbound for the panel's own requests through an outbound or balancer. */
export interface EgressBridge {
  /** Tag of the generated socks inbound: `panel-egress`, `node-egress-7`. Its port is read from the built config. */
  tag: string;
  /** Tag of a balancer or outbound. */
  target: string;
  /** The first free port from here upwards is taken. */
  firstPort: number;
}

/** Everything that decides the running config, except where the core's API listens. */
export interface CoreConfigSource {
  /** The stored template, every key preserved. */
  template: JsonObject;
  /** Ordered by id. */
  inbounds: readonly InboundSource[];
  /** Outbounds of enabled outbound subscriptions, each already accepted by the core. */
  subscribedOutbounds: { prepend: readonly JsonObject[]; append: readonly JsonObject[] };
  bridges?: readonly EgressBridge[];
}

/** Something that was stored but cannot run; the rest of the config runs without it. */
export interface LeftOut {
  kind: 'inbound' | 'outbound' | 'rule' | 'client' | 'fallback' | 'mask';
  /** Tag, e-mail or rule position: what the operator looks for. */
  name: string;
  /** Plain words: why, and what to do. */
  reason: string;
}
