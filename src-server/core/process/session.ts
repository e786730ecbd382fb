import type { InboundSource, CoreConfigSource, JsonObject, LeftOut } from '../config/source.ts';
import type { Snapshot } from '../apply/snapshot.ts';
import type { CoreProcess } from './core-process.ts';

/** A running core together with what it runs. */
export interface Session {
  process: CoreProcess;
  snapshot: Snapshot;
  /** Tag each inbound of the panel runs under, by its id. */
  tagOf: Map<number, string>;
  leftOut: LeftOut[];
  /** Where it shows its metrics, empty = nowhere. Only a start changes that. */
  metricsListen: string;
}

/** Turns stored data into a core config; what may be long gives way to the event loop. */
export interface ConfigBuilder {
  full(
    source: CoreConfigSource,
    options: { apiListen: string; logFolder: string; coreVersion: string },
  ): Promise<{ config: JsonObject; leftOut: LeftOut[]; warnings: string[] }>;
  inbound(source: InboundSource, coreVersion: string): Promise<{ inbound: JsonObject | null; leftOut: LeftOut[] }>;
  /** Of the clients that `source` names. */
  users(source: InboundSource): Promise<{ email: string; entry: JsonObject }[]>;
}

/** Tags by inbound id, of those that made it into the config. */
export function tagsOf(source: CoreConfigSource, snapshot: Snapshot): Map<number, string> {
  return new Map(source.inbounds.filter(({ tag }) => snapshot.inbounds.has(tag)).map(({ id, tag }) => [id, tag]));
}
