import type { JsonObject } from '../source.ts';

/** What decides how an inbound runs, as a form or a row has it; `settings` may hold clients, which are ignored. */
export interface InboundDraft {
  protocol: string;
  listen: string;
  port: number;
  settings: JsonObject;
  streamSettings: JsonObject | null;
  sniffing: JsonObject | null;
}
