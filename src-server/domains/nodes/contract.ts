import * as z from 'zod';
import type { FieldCode } from '../../contract/field-texts.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { Refusal, ValidationIssue } from '../../contract/envelope.ts';
import { line } from '../../contract/line.ts';
import { IdParam } from '../../contract/port.ts';
import { isHostText, isPinText, withoutBrackets } from '../../contract/host-text.ts';

/** Where the calls of the nodes are. */
export const NODES_PATH = '/panel/api/nodes';

export const Scheme = z.enum(['http', 'https']);
/** `enrolled`: through a trunk, where both sides know each other by this panel's authority; made by an enrolment alone. */
const TlsVerifyMode = z.enum(['verify', 'skip', 'pin', 'mtls', 'enrolled']);

/** Why something failed, as words can be made of it in any language. */
export const NodeRefusal = Refusal.extend({
  /** Cause with a code of its own, in place of the English parameters `text` and `reason`; absent = none. */
  because: Refusal.optional(),
  /** Fields that were refused, in place of these parameters; absent = none. */
  issues: z.array(ValidationIssue).optional(),
});
export type NodeRefusal = z.infer<typeof NodeRefusal>;

export const PlanKind = z.enum(['delete', 'resend']);

/** A panel that this one manages, or one that such a panel manages in its turn. */
export const Node = z.object({
  /** Number of the node; 0 = a panel that a node manages. */
  id: z.int(),
  /** Name of the node on this panel. */
  name: z.string(),
  remark: z.string(),
  /** Whether it is spoken to over TLS. */
  scheme: Scheme,
  /** Host name or address, IPv6 without brackets. */
  address: z.string(),
  port: z.int(),
  /** Path of its panel; begins and ends with a slash. */
  basePath: z.string(),
  /** Whether a token is stored; the token itself is never answered. */
  hasApiToken: z.boolean(),
  /** Off: nothing is asked of it and nothing sent; what changes meanwhile waits. Look here before at `status`. */
  enable: z.boolean(),
  allowPrivateAddress: z.boolean(),
  tlsVerifyMode: TlsVerifyMode,
  pinnedCertSha256: z.string(),
  /** Which side has dialled the trunk to an enrolled node; empty = none is open, or it is not enrolled. */
  dialledBy: z.enum(['', 'node', 'panel']),
  inboundSyncMode: z.enum(['all', 'selected']),
  inboundTags: z.array(z.string()),
  outboundTag: z.string(),
  /** What is edited on the node itself: follow = taken over, show = shown until it is decided. */
  remoteEdits: z.enum(['follow', 'show']),
  /** Inbounds and clients that were edited there and wait for a decision. */
  undecidedEdits: z.int(),
  /** GUID of its panel; empty = never reached. */
  guid: z.string(),
  status: z.enum(['unknown', 'online', 'offline']),
  /** When it was last probed, whatever came of it, in seconds since 1970, 0 = never. */
  lastHeartbeat: z.int(),
  latencyMs: z.int(),
  coreVersion: z.string(),
  /** `running`, `stop` or `error`; a node whose core is down is online all the same. */
  coreState: z.string(),
  coreError: z.string(),
  panelVersion: z.string(),
  /** Processor in use, in percent. */
  cpuPct: z.number(),
  memPct: z.number(),
  uptimeSecs: z.int(),
  /** Bytes per second that its machine sends. */
  netUp: z.int(),
  netDown: z.int(),
  /** Why the last probe failed; empty after a good one. */
  lastError: z.string(),
  lastRefusal: NodeRefusal.nullable(),
  /** Whether a change waits to be delivered. */
  configDirty: z.boolean(),
  configDirtyAt: z.int(),
  /** What the node refused of the last delivery; empty = nothing. */
  syncError: z.string(),
  syncRefusals: z.array(NodeRefusal.extend({ text: z.string().optional() })),
  /** What waits to be confirmed, by numbers; `nodes/plans/{id}` names it. */
  plans: z.array(
    z.object({
      /** `delete`: deleted here, and still on the node; `resend`: the node has lost it. */
      kind: PlanKind,
      inboundCount: z.int(),
      /** Different clients on its inbounds; 0 = none, or a panel that a node manages. */
      clientCount: z.int(),
    }),
  ),
  inboundCount: z.int(),
  /** Different clients on its inbounds; 0 for a transitive row. */
  clientCount: z.int(),
  onlineCount: z.int(),
  activeCount: z.int(),
  disabledCount: z.int(),
  /** Clients whose quota is used up or whose time is over. */
  depletedCount: z.int(),
  /** GUID of the panel that manages it; only in the list. */
  parentGuid: z.string().optional(),
  /** Managed by a node of this panel, so it can only be looked at. */
  transitive: z.boolean().optional(),
  /** When it was made, in ms since 1970; 0 = a panel that a node manages. */
  createdAt: z.int(),
  updatedAt: z.int(),
});
export type Node = z.infer<typeof Node>;

export const Flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]);
const PORT_TEXT = 'field.nodePort' satisfies FieldCode;
const NodePort = z
  .union(
    [
      z.number(),
      z
        .string()
        .regex(/^\d{1,5}$/)
        .transform(Number),
    ],
    { error: PORT_TEXT },
  )
  .refine((port) => Number.isInteger(port) && port >= 1 && port <= 65_535, PORT_TEXT);
const Address = line(255)
  .refine((address) => address !== '', { error: 'field.nodeAddress' satisfies FieldCode, abort: true })
  .transform(withoutBrackets)
  .refine(isHostText, { error: 'field.nodeHost' satisfies FieldCode, abort: true });
/** `/` around it, and nothing that a path cannot carry. */
const BasePath = line(512)
  .default('/')
  .transform((path) => `/${path.replaceAll(/^\/+|\/+$/g, '')}/`.replace('//', '/'));

/** How a node is reached. */
export const Connection = z.object({
  /** Number of an existing node that is being edited: its stored token is used where none is sent. */
  id: z.int().min(0).optional(),
  name: line(256).optional(),
  remark: line(1024).default(''),
  /** Whether the node is spoken to over TLS; empty = https. */
  scheme: z
    .enum(['http', 'https', ''])
    .default('https')
    .transform((scheme) => scheme || 'https'),
  address: Address,
  port: NodePort,
  basePath: BasePath,
  /** API token of the node; blank = the stored one. */
  apiToken: line(4096).default(''),
  clearApiToken: Flag.default(false),
  enable: Flag.optional(),
  allowPrivateAddress: Flag.default(false),
  /** How its certificate is checked: verify, skip, pin or mtls; empty = verify. */
  tlsVerifyMode: z
    .enum([...TlsVerifyMode.options, ''])
    .default('verify')
    .transform((mode) => mode || 'verify'),
  pinnedCertSha256: line(256).default(''),
  /** all = every inbound of the node is taken over; selected = only those of `inboundTags`; empty = all. */
  inboundSyncMode: z
    .enum(['all', 'selected', ''])
    .default('all')
    .transform((mode) => mode || 'all'),
  inboundTags: z
    .array(line(256))
    .max(10_000)
    .nullish()
    .transform((tags) => [...new Set((tags ?? []).filter((tag) => tag !== ''))]),
  outboundTag: line(256).default(''),
  /**
   * What is edited on the node itself: follow = taken over, show = shown until it is decided. Absent = as it is; follow
   * for a new node.
   */
  remoteEdits: z.enum(['follow', 'show']).optional(),
});

function checkTrust(
  { scheme, tlsVerifyMode, pinnedCertSha256 }: Pick<Details, 'scheme' | 'tlsVerifyMode' | 'pinnedCertSha256'>,
  complain: (field: string, message: FieldCode) => void,
): void {
  if (tlsVerifyMode === 'mtls' && scheme === 'http') complain('tlsVerifyMode', 'field.nodeMtls');
  if (tlsVerifyMode !== 'pin' || scheme === 'http') return;
  if (pinnedCertSha256 === '') complain('pinnedCertSha256', 'field.pinEmpty');
  else if (!isPinText(pinnedCertSha256)) complain('pinnedCertSha256', 'field.pinInvalid');
}
type Details = z.output<typeof Connection>;

const complainer =
  (context: z.RefinementCtx) =>
  (field: string, message: FieldCode): void =>
    context.addIssue({ code: 'custom', path: [field], message });

/** Details that are not saved, or not yet. */
export const Unsaved = Connection.superRefine((details, context) => checkTrust(details, complainer(context)));

/** Details that are to be saved. */
export const NodeDetails = Connection.extend({
  name: line(256).refine((name) => name !== '', 'field.nodeName' satisfies FieldCode),
}).superRefine((details, context) => {
  const complain = complainer(context);
  checkTrust(details, complain);
  if (details.apiToken !== '' && details.clearApiToken) complain('clearApiToken', 'field.tokenTwice');
});
export type NodeDetails = z.output<typeof NodeDetails>;
export type Connection = z.output<typeof Unsaved>;

/** The calls about one node. */
export const ById = { params: z.object({ id: IdParam }) };

export const listNodes = endpoint('GET', `${NODES_PATH}/list`, {
  summary: 'Nodes by number, then the panels that those manage.',
  result: z.array(Node),
});

export const getNode = endpoint('GET', `${NODES_PATH}/get/:id`, {
  summary: 'One node.',
  ...ById,
  result: Node,
});

export const addNode = endpoint('POST', `${NODES_PATH}/add`, {
  summary: 'Registers a panel and asks it how it does; one that cannot be reached is kept, as offline with the reason.',
  body: NodeDetails,
  result: Node,
  message: 'node.added',
});

export const updateNode = endpoint('POST', `${NODES_PATH}/update/:id`, {
  summary:
    'Replaces the details of a node; when it is reached in another way from now on, everything is delivered again.',
  ...ById,
  body: NodeDetails,
  result: z.null(),
  message: 'node.updated',
});

export const deleteNode = endpoint('POST', `${NODES_PATH}/del/:id`, {
  summary: 'Ends the management of a node that no inbound is on; the panel there goes on as it is.',
  ...ById,
  result: z.null(),
  message: 'node.deleted',
});

export const setNodeEnable = endpoint('POST', `${NODES_PATH}/setEnable/:id`, {
  summary: 'Pauses or resumes a node; what changes meanwhile is delivered later.',
  ...ById,
  body: z.object({ enable: Flag }),
  result: z.null(),
});
