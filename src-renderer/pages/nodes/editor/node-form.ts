import * as z from 'zod';
import { NodeDetails, type Node } from '#contract/nodes';
import { urlOf } from '../../../forms/url-of.ts';

/** What the editor of a node holds while it is typed. */
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
  /** Outbound or balancer of this panel's core; empty = directly. */
  outboundTag: string;
}

/** The port that a panel listens on unless it was told another. */
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

/** Checked as the server checks it, by the contract's own rules. */
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

/** What is sent: the whole node. @param stored the node that is edited; null = a new one */
export function toWire(form: NodeForm, stored: Node | null): z.input<typeof NodeDetails> {
  return {
    ...form,
    ...(stored === null ? {} : { id: stored.id }),
    port: form.port === '' ? 0 : form.port,
    // Without TLS there is no certificate to look at; a mutual one would be refused.
    tlsVerifyMode: form.scheme === 'http' && form.tlsVerifyMode !== 'enrolled' ? 'skip' : form.tlsVerifyMode,
  };
}

type Place = Pick<NodeForm, 'scheme' | 'address' | 'port' | 'basePath'>;

/** The parts of a whole address, as it is copied from a browser; null for anything else, such as a name alone. */
export function splitAddress(text: string): Place | null {
  const place = /^https?:\/\//i.test(text.trim()) ? urlOf(text.trim()) : null;
  if (place === null) return null;
  const { protocol, hostname, port, pathname } = place;
  const scheme = protocol === 'http:' ? 'http' : 'https';
  return {
    scheme,
    address: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (scheme === 'http' ? 80 : 443) : Number(port),
    // A page of the panel was copied, not its base.
    basePath: pathname.replace(/panel(\/.*)?$/, ''),
  };
}

/** What another page hands over to the editor, for the address of the page: `new:name=…`. */
export interface Handed {
  name: string;
  /** A whole address. */
  address: string;
  /** SHA-256 of the certificate that is trusted; empty = checked as usual. */
  pin: string;
}

/** The address of the page whose editor is filled with a panel that is known elsewhere. */
export function addressToAdd(handed: Handed): string {
  const value = `new:${new URLSearchParams({ ...handed }).toString()}`;
  return `/panel/nodes?${new URLSearchParams({ node: value }).toString()}`;
}

/** A new node with what was handed over. @param what value of the dialog's address: `new` or `new:name=…` */
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
