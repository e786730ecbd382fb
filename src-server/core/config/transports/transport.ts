import type { JsonObject } from '../source.ts';
import type { FieldRule } from '../rules/field-rules.ts';

export type TransportName = 'tcp' | 'kcp' | 'ws' | 'grpc' | 'httpupgrade' | 'xhttp' | 'hysteria';

export interface Transport {
  name: TransportName;
  /** Other spellings of `network` that the core knows. */
  aliases: readonly string[];
  /** Names of the settings block; the first is the panel's. When several are present the core uses `winner`. */
  blocks: readonly string[];
  /** The block that wins when more than one is present. */
  winner: string;
  carriesReality: boolean;
  rules: FieldRule;
  /** The stored form: old names replaced, values that the core cannot read removed. Unknown members stay. */
  normalise?: (settings: JsonObject) => JsonObject;
  /** What the core gets: without members that only clients use. */
  emit?: (settings: JsonObject) => JsonObject;
}
