import type { Content, EntryClient, EntryWriter, NameUse } from './link-engine-port.ts';
import { missingCredential } from '../../../links/credentials.ts';
import { refusesOtherEngines } from '../../../links/other-engines.ts';
import { compileHostRemark, compileRemark, type RemarkTemplate } from '../../../links/remark/remark.ts';
import type { RemarkClient } from '../../../links/remark/values.ts';
import type { Endpoint, LinkClient } from '../../../links/types.ts';
import type { Settings } from '../../settings/contract.ts';

/** A prepared entry of an endpoint without a client, or why there is none. */
export type PreparedContent =
  | { endpoint: Endpoint; render(client: LinkClient, name: string): Content }
  | { endpoint: Endpoint; reason: string };

/** How entries are named under one state of the settings. */
export interface Naming {
  template: RemarkTemplate;
  later: 'repeat' | 'repeatNamed';
  /** IANA name. */
  timeZone: string;
}

export function namingOf(settings: Settings): Naming {
  const { remarkTemplate, subShowIdentityOnAllLinks, timeLocation } = settings;
  return {
    template: compileRemark(remarkTemplate),
    later: subShowIdentityOnAllLinks ? 'repeatNamed' : 'repeat',
    timeZone: timeLocation === 'Local' ? Intl.DateTimeFormat().resolvedOptions().timeZone : timeLocation,
  };
}

/** Writes a prepared entry for clients, named according to the settings. */
export function entryWriter(prepared: PreparedContent, naming: Naming): EntryWriter {
  const endpoint = { ...prepared.endpoint, remark: prepared.endpoint.hostRemark };
  const hostRemark = endpoint.host && compileHostRemark(endpoint.host.remark);
  const { template, timeZone, later } = naming;
  const needsXray = endpoint.reality !== null && refusesOtherEngines(endpoint.reality.minClientVer);
  return {
    write(client, use: NameUse, nowMs) {
      const context = use === 'later' ? later : use;
      const facts = { client: namedClient(client), endpoint, nowMs, timeZone };
      const remark = hostRemark?.render(facts, context) ?? endpoint.remark;
      const name = template.render({ ...facts, endpoint: { ...endpoint, remark } }, context);
      if ('reason' in prepared) return { name, reason: prepared.reason };
      const linked = linkedClient(client);
      const missing = missingCredential(endpoint.protocol, linked);
      return missing === null ? { name, content: prepared.render(linked, name), needsXray } : { name, reason: missing };
    },
  };
}

function namedClient(client: EntryClient): RemarkClient {
  return { ...client, enable: client.enable === 1 };
}

/** The flow belongs to the attachment; so does a password if the client's own does not fit. */
function linkedClient(client: EntryClient): LinkClient {
  const { uuid, email, subId, auth, security, flowOverride, passwordOverride } = client;
  return {
    uuid,
    email,
    subId,
    auth,
    security,
    flow: flowOverride,
    password: passwordOverride === '' ? client.password : passwordOverride,
  };
}
