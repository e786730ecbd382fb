import type { ClientSource, FallbackSource, JsonObject, LeftOut } from '../source.ts';
import type { FieldRule } from '../rules/field-rules.ts';
import type { Report } from '../rules/finding.ts';

/** What a protocol sees of its inbound; `settings` and `stream` are already in the stored form. */
export interface InboundView {
  tag: string;
  listen: string;
  settings: JsonObject;
  stream: JsonObject | null;
}

export interface UserEntry {
  email: string;
  /** The list item exactly as it appears in the config. */
  entry: JsonObject;
}

/** Users the core gets, and clients it must not see. */
export interface UserList {
  users: UserEntry[];
  leftOut: LeftOut[];
}

/** How a client becomes a user of this protocol. */
export interface UserRules {
  credential: 'id' | 'password' | 'auth';
  /**
   * What distinguishes users in the core; two clients with the same value would be one user to it. Null when the core
   * would refuse the credential.
   */
  identity: (client: ClientSource, inbound: InboundView) => string | null;
  /** Whether this inbound has a list of users at all; absent = always. */
  isListed?: (inbound: InboundView) => boolean;
  /** Why a credential without an identity is refused, and what to do. */
  unusable: (inbound: InboundView) => string;
  /** The list item, e-mail first, or the reason why the core would refuse this client. */
  entry: (client: ClientSource, inbound: InboundView) => JsonObject | string;
}

export interface EmitOptions {
  /** As `xray version` reports it; absent or unknown = current. */
  coreVersion?: string;
}

interface Emission {
  settings: JsonObject;
  leftOut: LeftOut[];
}

export interface Protocol {
  /** Names of the protocol in the panel and in imported rows; the first is the panel's. */
  names: readonly string[];
  /** What the core calls it. */
  coreName: string;
  /** Whether the inbound has streamSettings at all. */
  keepsStream: boolean;
  /** Securities that can be chosen; empty = neither network nor security. */
  securities: readonly string[];
  users: UserRules | null;
  rules: FieldRule;
  /** Rules that need more than the settings. */
  check?: (inbound: InboundView, report: Report) => void;
  /** The stored form of the settings. */
  normalise?: (settings: JsonObject) => JsonObject;
  /** For the generated config: replaces values that the core no longer supports. */
  heal?: (settings: JsonObject) => JsonObject;
  /** The settings the core gets, or the reason why this inbound must not run. */
  emit: (
    inbound: InboundView,
    users: UserList,
    fallbacks: readonly FallbackSource[],
    options: EmitOptions,
  ) => Emission | string;
}
