import type { HostContent } from '../domains/hosts/contract.ts';
import type { JsonObject } from '../contract/json.ts';

export type LinkFormat = 'raw' | 'json' | 'yaml';

/** An enabled host of an inbound; empty address and port 0 inherit. */
export interface LinkHost extends HostContent {
  address: string;
  port: number;
}

/** An inbound with everything its links depend on; stored JSON already parsed, unreadable text as `{}`. */
export interface LinkInbound {
  id: number;
  remark: string;
  listen: string;
  port: number;
  protocol: string;
  settings: JsonObject;
  stream: JsonObject;
  /** Enabled ones, in order. */
  hosts: readonly LinkHost[];
  /** Master inbound whose fallback leads here; null = none. */
  master: LinkInbound | null;
}

/** Credentials of a client at one inbound. */
export interface LinkClient {
  uuid: string;
  email: string;
  subId: string;
  password: string;
  auth: string;
  flow: string;
  /** Cipher for VMess. */
  security: string;
}

/** Settings of the JSON format, as stored. */
export interface JsonFormatSettings {
  subJsonMux: string;
  subJsonRules: string;
  subJsonFinalMask: string;
}

export interface TlsModel {
  /** null = the key is absent. */
  serverName: string | null;
  alpn: readonly string[];
  /** null = the key is absent. */
  fingerprint: string | null;
  echConfigList: string;
  verifyPeerCertByName: string;
  pins: readonly string[];
}

export interface RealityModel {
  serverName: string;
  shortId: string;
  publicKey: string;
  fingerprint: string;
  mldsa65Verify: string;
  /** Stored seed; each client gets a path of its own from it. */
  spiderX: string;
  /** Apps below it are refused; empty = the core's default. */
  minClientVer: string;
}

/** A place where an inbound is reachable: itself, one of its hosts, or a legacy external proxy. */
export interface Endpoint {
  inboundId: number;
  inboundRemark: string;
  /** Value of `{{HOST}}`. */
  hostRemark: string;
  kind: 'own' | 'host' | 'externalProxy';
  protocol: string;
  /** Settings of the inbound. */
  settings: JsonObject;
  /** Without brackets. */
  address: string;
  port: number;
  network: string;
  /** In lower case, as stored or as the endpoint changes it; may be empty. */
  security: string;
  /** Security of the inbound itself, for remarks. */
  inboundSecurity: string;
  /** Stored stream with the endpoint's host and path filled in. */
  stream: JsonObject;
  tls: TlsModel | null;
  /** Of the inbound itself. */
  inboundTls: TlsModel | null;
  reality: RealityModel | null;
  /**
   * Whether a vision flow works here: the inbound gives its users one, and the endpoint leaves its requirements in
   * place.
   */
  takesFlow: boolean;
  allowInsecure: boolean;
  /** Pins of the endpoint alone, for Hysteria links. */
  ownPins: readonly string[];
  finalMask: JsonObject;
  host: LinkHost | null;
  /** Why it cannot be rendered in this format; empty = it can. */
  flaw: string;
}

/** Why a format has no entry for an endpoint. */
export interface LeftOutReason {
  reason: string;
}

/** A rendered entry, still without a client. `render` costs a few string joins. */
export interface PreparedEntry {
  endpoint: Endpoint;
  render(client: LinkClient, name: string): string;
}

export type Prepared = PreparedEntry | (LeftOutReason & { endpoint: Endpoint });
