import type { JsonObject } from '../../contract/json.ts';

/** An outbound of the core; `tag` is the name in the link. */
export interface ParsedOutbound {
  protocol: string;
  tag: string;
  settings: JsonObject;
  streamSettings?: JsonObject;
}
