import type { InboundSource, CoreConfigSource, JsonObject, LeftOut } from '../config/source.ts';
import type { Snapshot } from '../apply/compare/snapshot.ts';
import type { CoreProcess } from './core-process.ts';

/** A running core and what it runs. */
export interface Session {
  process: CoreProcess;
  snapshot: Snapshot;
  /** The tag each of the panel's inbounds runs under, by its id. */
  tagOf: Map<number, string>;
  leftOut: LeftOut[];
  /** The panel's inbounds that could not listen, by id, and why. They are tried again as a whole. */
  waiting: Map<number, string>;
  /** Address of its metrics, empty = nowhere. Only a start changes that. */
  metricsListen: string;
}

/** Turns stored data into a core config; long work yields to the event loop. */
export interface ConfigBuilder {
  full(
    source: CoreConfigSource,
    options: { apiListen: string; logFolder: string; coreVersion: string },
  ): Promise<{ config: JsonObject; leftOut: LeftOut[]; warnings: string[] }>;
  inbound(source: InboundSource, coreVersion: string): Promise<{ inbound: JsonObject | null; leftOut: LeftOut[] }>;
  /** Of the clients that `source` names. */
  users(source: InboundSource): Promise<{ email: string; entry: JsonObject }[]>;
}

/** Tags by inbound id, of those that are in the config. */
export function tagsOf(source: CoreConfigSource, snapshot: Snapshot): Map<number, string> {
  return new Map(source.inbounds.filter(({ tag }) => snapshot.inbounds.has(tag)).map(({ id, tag }) => [id, tag]));
}
