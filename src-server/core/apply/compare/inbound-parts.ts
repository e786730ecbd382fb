import type { UserKind } from '../../api/account.ts';
import { userKind } from '../../api/account.ts';
import type { Json, JsonObject } from '../../config/source.ts';

/** An inbound of a core config, split into its users and everything else. */
export interface InboundParts {
  tag: string;
  kind: UserKind;
  /** The inbound without its user list. */
  frame: JsonObject;
  users: readonly JsonObject[];
  /** Where the users are in `settings`. */
  listKey: string;
}

export function partsOf(inbound: JsonObject): InboundParts {
  const settings = objectOf(inbound.settings);
  const kind = userKind({ protocol: textOf(inbound.protocol), settings });
  const listKey = listKeyOf(kind, settings);
  const list = settings[listKey];
  if (kind === 'none' || !Array.isArray(list)) {
    return { tag: textOf(inbound.tag), kind, frame: inbound, users: [], listKey };
  }
  const { [listKey]: _users, ...rest } = settings;
  return { tag: textOf(inbound.tag), kind, frame: { ...inbound, settings: rest }, users: list.map(objectOf), listKey };
}

/** Reverse of {@link partsOf} with other users. */
export function withUsers({ frame, listKey }: InboundParts, users: readonly JsonObject[]): JsonObject {
  return { ...frame, settings: { ...objectOf(frame.settings), [listKey]: [...users] } };
}

/** An inbound with one of its users: enough for what does not depend on them. */
export function withFirstUser(inbound: JsonObject): JsonObject {
  const parts = partsOf(inbound);
  return parts.kind === 'none' ? inbound : withUsers(parts, parts.users.slice(0, 1));
}

function listKeyOf(kind: UserKind, settings: JsonObject): string {
  if (kind === 'wireguard') return 'peers';
  // When both names are present, the core uses the old one.
  return Array.isArray(settings.clients) || !Array.isArray(settings.users) ? 'clients' : 'users';
}

export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

export function objectOf(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

export function objectsOf(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}
