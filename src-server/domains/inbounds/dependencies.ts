import type { Basics } from '../basics.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { ServingPlace } from '../../runtime/serving-place.ts';
import type { InboundClientPort } from './client-port.ts';
import type { InboundHostPort } from './host-port.ts';
import type { InboundNodePort } from './node-port.ts';
import type { Transport } from './ports/port-conflicts.ts';
import type { InboundTrafficPort } from './traffic-port.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { TemplateListener } from '../../core/config/template/template-inbounds.ts';
import type { WriteTransaction } from '../../store/open-store.ts';

export interface InboundServiceDeps extends Pick<Basics, 'store' | 'clock' | 'publish' | 'log'> {
  runtime: Runtime;
  clients: InboundClientPort;
  traffic: InboundTrafficPort;
  templates: TemplatePort;
  /** Gives the settings that name an inbound its new tag. @returns whether one did */
  renameInSettings: (trx: WriteTransaction, from: string, to: string) => Promise<boolean>;
  nodes: InboundNodePort;
  hosts: InboundHostPort;
  /** This panel's role on its database. */
  place: ServingPlace;
  /** Whether a server with this id shares the database. */
  isServerKnown: (id: string) => Promise<boolean>;
  /** Identity of this panel, shown as the host of local inbounds. */
  panelGuid: () => string;
  /** TCP ports of the panel's own servers, with a name for refusals: `the web interface`. */
  reservedPorts: () => { port: number; use: string }[];
  /** Whether the core's geo folder has the file. */
  hasGeoFile: (name: string) => boolean;
  /** Where the core looks up relative certificate paths. */
  certificateFolder: string;
  /** The transport under which another program on this machine uses the place, or null. */
  findForeignUse: (listen: string, port: number, transports: readonly Transport[]) => Promise<Transport | null>;
}

/**
 * The stored core template, as far as inbounds affect it: their tags appear in its routing rules and loopback
 * outbounds, and it has inbounds of its own.
 */
export interface TemplatePort {
  /** Where its own inbounds listen. */
  listeners(): Promise<TemplateListener[]>;
  /**
   * Stores the result of `change` for the template, in the caller's transaction. `change` is pure and returns its
   * argument when nothing differs.
   * @returns true when the stored template changed.
   */
  rewrite(trx: WriteTransaction, change: (template: JsonObject) => JsonObject): Promise<boolean>;
}
