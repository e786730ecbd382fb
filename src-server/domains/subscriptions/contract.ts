import * as z from 'zod';
import { endpoint } from '../../contract/endpoint.ts';
import { IdParam } from '../../contract/fields/port.ts';
import { HostUpdate } from '../hosts/contract.ts';
import { SettingsPatch } from '../settings/contract.ts';

const Links = z.array(z.string());

export const linksOfClient = endpoint('GET', '/panel/api/clients/links/:email', {
  summary: 'Share links of a client at all its inbounds, by inbound and host, then its external links.',
  params: z.object({ email: z.string().max(1024) }),
  result: Links,
});

export const linksOfSubscription = endpoint('GET', '/panel/api/clients/subLinks/:subId', {
  summary: 'Share links of every enabled client of a subscription; empty when there is none.',
  params: z.object({ subId: z.string().max(1024) }),
  result: Links,
});

export const allLinks = endpoint('GET', '/panel/api/inbounds/allLinks', {
  summary: 'Share links of every client at every enabled inbound.',
  result: Links,
});

export const linksOfInbound = endpoint('GET', '/panel/api/inbounds/:id/links', {
  summary: 'Share links of the first 100 clients of an inbound, one per client and host, or of its WireGuard peers.',
  params: z.object({ id: IdParam }),
  result: z.array(
    z.object({
      /** Name of the client, or of a peer. */
      email: z.string(),
      link: z.string(),
      /** Config file of the WireGuard app; empty for other protocols. */
      config: z.string(),
    }),
  ),
});

export const previewHost = endpoint('POST', '/panel/api/hosts/preview', {
  onStandby: 'answers',
  summary: 'The share link that an unsaved host would give, for the first client of its inbound or an invented one.',
  body: z.object({
    inboundId: z.int().min(1),
    /** The host, as in a save. */
    host: HostUpdate,
    /**
     * Address in the format of host groups, `name`, `name:443`, `[2001:db8::1]:443`; takes precedence over that of the
     * host.
     */
    entry: z.string().max(300).optional(),
  }),
  result: z.object({
    /** The link; empty if the host cannot be written as a link. */
    link: z.string(),
    /** Why there is no link; empty when there is one. */
    reason: z.string(),
    /** Client of the link; empty = a sample client, since the inbound has none. */
    email: z.string(),
  }),
});

/** An entry that a format omits because its apps could not use it. */
export const LeftOut = z.object({
  /** The format that omits the entry: links, JSON or YAML. */
  format: z.enum(['raw', 'json', 'yaml']),
  /** Id of the inbound; 0 = one of the client's external links. */
  inboundId: z.int(),
  /** Name of the entry. */
  remark: z.string(),
  email: z.string(),
  reason: z.string(),
});
export type LeftOut = z.infer<typeof LeftOut>;

export const leftOutOfSubscription = endpoint('GET', '/panel/api/clients/leftOut/:email', {
  summary: "What the formats leave out of a client's subscription, and why.",
  params: z.object({ email: z.string().max(1024) }),
  result: z.array(LeftOut),
});

/** Settings that appear in the headers of a subscription. */
export const HeaderDraft = SettingsPatch.pick({
  subUpdates: true,
  subTitle: true,
  subAnnounce: true,
  subSupportUrl: true,
  subProfileUrl: true,
  subEnableRouting: true,
  subRoutingRules: true,
});
export type HeaderDraft = z.output<typeof HeaderDraft>;

export const previewHeaders = endpoint('POST', '/panel/api/setting/subHeaders', {
  onStandby: 'answers',
  summary: 'Headers that an app would get with these settings; absent ones are as stored. Nothing is saved.',
  body: HeaderDraft,
  encoding: 'json',
  result: z.object({
    /** The client used for the preview: the first one, or `sample` while there is none. */
    email: z.string(),
    /** Headers by name. */
    headers: z.record(z.string(), z.string()),
  }),
});
