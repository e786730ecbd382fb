import type { JsonObject } from '../source.ts';

/** What decides how an inbound runs, as a form or a row has it; `settings` may hold clients, they are not looked at. */
export interface InboundDraft {
  protocol: string;
  listen: string;
  port: number;
  settings: JsonObject;
  streamSettings: JsonObject | null;
  sniffing: JsonObject | null;
}
