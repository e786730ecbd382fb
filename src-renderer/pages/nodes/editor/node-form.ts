import * as z from 'zod';
import { NodeDetails, type Node } from '#contract/nodes';
import { baseOfPage } from '#wire/fields/panel-base';
import { urlOf } from '../../../forms/url-of.ts';

/** Contents of the node editor while it is edited. */
export interface NodeForm {
  name: string;
  remark: string;
  scheme: 'http' | 'https';
  address: string;
  /** Empty while nothing is typed. */
  port: number | '';
  basePath: string;
  /** Blank keeps the stored one, which is never shown. */
  apiToken: string;
  enable: boolean;
  allowPrivateAddress: boolean;
  tlsVerifyMode: Node['tlsVerifyMode'];
  pinnedCertSha256: string;
  inboundSyncMode: Node['inboundSyncMode'];
  inboundTags: string[];
  remoteEdits: Node['remoteEdits'];
  /** Outbound or balancer of this panel's core; empty = a direct connection. */
  outboundTag: string;
}

/** The default port of a panel. */
const USUAL_PORT = 2053;

export const NEW_NODE: NodeForm = {
  name: '',
  remark: '',
  scheme: 'https',
  address: '',
  port: USUAL_PORT,
  basePath: '/',
  apiToken: '',
  enable: true,
  allowPrivateAddress: false,
  tlsVerifyMode: 'verify',
  pinnedCertSha256: '',
  inboundSyncMode: 'all',
  inboundTags: [],
  remoteEdits: 'follow',
  outboundTag: '',
};

/** Validated by the contract's own rules, as on the server. */
export const NodeFormSchema: z.ZodType<NodeForm, NodeForm> = z.custom<NodeForm>().superRefine((form, context) => {
  const { error } = NodeDetails.safeParse(toWire(form, null), { reportInput: true });
  if (error !== undefined) context.issues.push(...error.issues.map((issue) => ({ input: undefined, ...issue })));
});

/** A stored node as a form. */
export function toForm(node: Node): NodeForm {
  const { name, remark, scheme, address, port, basePath, enable, allowPrivateAddress } = node;
  const { tlsVerifyMode, pinnedCertSha256, inboundSyncMode, inboundTags, remoteEdits, outboundTag } = node;
  const trust = { tlsVerifyMode, pinnedCertSha256, inboundSyncMode, inboundTags, remoteEdits, outboundTag };
  return { name, remark, scheme, address, port, basePath, apiToken: '', enable, allowPrivateAddress, ...trust };
}

/** The whole node to send. @param stored the node being edited; null = a new one */
export function toWire(form: NodeForm, stored: Node | null): z.input<typeof NodeDetails> {
  return {
    ...form,
    ...(stored === null ? {} : { id: stored.id }),
    port: form.port === '' ? 0 : form.port,
    // Without TLS there is no certificate to check, and a mutual one would be refused.
    tlsVerifyMode: form.scheme === 'http' && form.tlsVerifyMode !== 'enrolled' ? 'skip' : form.tlsVerifyMode,
  };
}

type Place = Pick<NodeForm, 'scheme' | 'address' | 'port' | 'basePath'>;

/** The parts of a whole address, as copied from a browser; null for anything else, such as a name alone. */
export function splitAddress(text: string): Place | null {
  const place = /^https?:\/\//i.test(text.trim()) ? urlOf(text.trim()) : null;
  if (place === null) return null;
  const { protocol, hostname, port, pathname } = place;
  const scheme = protocol === 'http:' ? 'http' : 'https';
  return {
    scheme,
    address: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (scheme === 'http' ? 80 : 443) : Number(port),
    // It may be the address of a page, not the panel's base.
    basePath: baseOfPage(pathname),
  };
}

/** Values that another page passes to the editor in the address: `new:name=…`. */
export interface Handed {
  name: string;
  /** A whole address. */
  address: string;
  /** SHA-256 of the trusted certificate; empty = the usual check. */
  pin: string;
}

/** The address of the page with its editor prefilled for a panel known elsewhere. */
export function addressToAdd(handed: Handed): string {
  const value = `new:${new URLSearchParams({ ...handed }).toString()}`;
  return `/panel/nodes?${new URLSearchParams({ node: value }).toString()}`;
}

/** A new node with the passed values. @param what value of the dialog's address: `new` or `new:name=…` */
export function firstForm(what: string): NodeForm {
  const handed = new URLSearchParams(what.startsWith('new:') ? what.slice('new:'.length) : '');
  const pin = handed.get('pin') ?? '';
  return {
    ...NEW_NODE,
    name: handed.get('name') ?? '',
    ...splitAddress(handed.get('address') ?? ''),
    ...(pin === '' ? {} : { tlsVerifyMode: 'pin' as const, pinnedCertSha256: pin }),
  };
}
