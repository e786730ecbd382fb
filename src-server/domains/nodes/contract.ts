import * as z from 'zod';
import type { FieldCode } from '../../contract/fields/field-texts.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { Refusal, ValidationIssue } from '../../contract/envelope.ts';
import { line } from '../../contract/fields/line.ts';
import { IdParam } from '../../contract/fields/port.ts';
import { isHostText, isPinText, withoutBrackets } from '../../contract/fields/host-text.ts';

/** Base path of the node endpoints. */
export const NODES_PATH = '/panel/api/nodes';

export const Scheme = z.enum(['http', 'https']);
/** `enrolled`: through a trunk with mutual TLS under this panel's authority; set only by enrolment. */
const TlsVerifyMode = z.enum(['verify', 'skip', 'pin', 'mtls', 'enrolled']);

/** Reason of a failure, as a code and parameters that can be translated. */
export const NodeRefusal = Refusal.extend({
  /** Cause with its own code, in place of the English parameters `text` and `reason`; absent = none. */
  because: Refusal.optional(),
  /** Refused fields, in place of these parameters; absent = none. */
  issues: z.array(ValidationIssue).optional(),
});
export type NodeRefusal = z.infer<typeof NodeRefusal>;

export const PlanKind = z.enum(['delete', 'resend']);

/** A panel managed by this one, or by one of its nodes. */
export const Node = z.object({
  /** Number of the node; 0 = a panel managed by a node. */
  id: z.int(),
  /** Name of the node on this panel. */
  name: z.string(),
  remark: z.string(),
  /** Whether the connection uses TLS. */
  scheme: Scheme,
  /** Host name or address, IPv6 without brackets. */
  address: z.string(),
  port: z.int(),
  /** Path of its panel; begins and ends with a slash. */
  basePath: z.string(),
  /** Whether a token is stored; the token itself is never returned. */
  hasApiToken: z.boolean(),
  /** When disabled, nothing is requested of it or sent to it, and changes wait. Check this before `status`. */
  enable: z.boolean(),
  allowPrivateAddress: z.boolean(),
  tlsVerifyMode: TlsVerifyMode,
  pinnedCertSha256: z.string(),
  /** Which side dialled the trunk to an enrolled node; empty = no trunk is open, or it is not enrolled. */
  dialledBy: z.enum(['', 'node', 'panel']),
  /**
   * Address of another machine with the identity of this enrolled node, probably a copy of it, that was turned away in
   * the last minutes; empty = there is none.
   */
  copyAt: z.string(),
  inboundSyncMode: z.enum(['all', 'selected']),
  inboundTags: z.array(z.string()),
  outboundTag: z.string(),
  /** How edits made on the node itself are treated: follow = taken over, show = shown until decided. */
  remoteEdits: z.enum(['follow', 'show']),
  /** Inbounds and clients edited on the node that wait for a decision. */
  undecidedEdits: z.int(),
  /** GUID of its panel; empty = never reached. */
  guid: z.string(),
  status: z.enum(['unknown', 'online', 'offline']),
  /** When it was last probed, with any result, in seconds since 1970, 0 = never. */
  lastHeartbeat: z.int(),
  latencyMs: z.int(),
  coreVersion: z.string(),
  /** `running`, `stop` or `error`; a node whose core is down still counts as online. */
  coreState: z.string(),
  coreError: z.string(),
  panelVersion: z.string(),
  /** Processor usage, in percent. */
  cpuPct: z.number(),
  memPct: z.number(),
  uptimeSecs: z.int(),
  /** Bytes per second that its machine sends. */
  netUp: z.int(),
  netDown: z.int(),
  /** Why the last probe failed; empty after a successful one. */
  lastError: z.string(),
  lastRefusal: NodeRefusal.nullable(),
  /** Whether a change waits for delivery. */
  configDirty: z.boolean(),
  configDirtyAt: z.int(),
  /** What the node refused of the last delivery; empty = nothing. */
  syncError: z.string(),
  syncRefusals: z.array(NodeRefusal.extend({ text: z.string().optional() })),
  /** Plans that wait for confirmation, as counts; `nodes/plans/{id}` lists the names. */
  plans: z.array(
    z.object({
      /** `delete`: deleted here, and still on the node; `resend`: the node has lost it. */
      kind: PlanKind,
      inboundCount: z.int(),
      /** Number of distinct clients on its inbounds; 0 = none, or a panel managed by a node. */
      clientCount: z.int(),
    }),
  ),
  inboundCount: z.int(),
  /** Number of distinct clients on its inbounds; 0 for a panel managed by a node. */
  clientCount: z.int(),
  onlineCount: z.int(),
  activeCount: z.int(),
  disabledCount: z.int(),
  /** Clients that are depleted or expired. */
  depletedCount: z.int(),
  /** GUID of the panel that manages it; only in the list. */
  parentGuid: z.string().optional(),
  /** Managed by a node of this panel, so it is read-only. */
  transitive: z.boolean().optional(),
  /** When it was created, in ms since 1970; 0 = a panel managed by a node. */
  createdAt: z.int(),
  updatedAt: z.int(),
});
export type Node = z.infer<typeof Node>;

export const Flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')], {
  error: ({ input }) => (input === undefined ? ('field.required' satisfies FieldCode) : undefined),
});
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
/** Begins and ends with `/`, and holds only characters allowed in a path. */
const BasePath = line(512)
  .default('/')
  .transform((path) => `/${path.replaceAll(/^\/+|\/+$/g, '')}/`.replace('//', '/'));

/** How to reach a node. */
export const Connection = z.object({
  /** Number of the existing node being edited: its stored token is used when none is sent. */
  id: z.int().min(0).optional(),
  name: line(256).optional(),
  remark: line(1024).default(''),
  /** Whether the connection uses TLS; empty = https. */
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
  /** all = every inbound of the node is adopted; selected = only those of `inboundTags`; empty = all. */
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
   * How edits made on the node itself are treated: follow = taken over, show = shown until decided. Absent = unchanged;
   * follow for a new node.
   */
  remoteEdits: z.enum(['follow', 'show']).optional(),
});

function checkTrust(
  { scheme, tlsVerifyMode, pinnedCertSha256 }: Pick<Details, 'scheme' | 'tlsVerifyMode' | 'pinnedCertSha256'>,
  addIssue: (field: string, message: FieldCode) => void,
): void {
  if (tlsVerifyMode === 'mtls' && scheme === 'http') addIssue('tlsVerifyMode', 'field.nodeMtls');
  if (tlsVerifyMode !== 'pin' || scheme === 'http') return;
  if (pinnedCertSha256 === '') addIssue('pinnedCertSha256', 'field.pinEmpty');
  else if (!isPinText(pinnedCertSha256)) addIssue('pinnedCertSha256', 'field.pinInvalid');
}
type Details = z.output<typeof Connection>;

const addIssueTo =
  (context: z.RefinementCtx) =>
  (field: string, message: FieldCode): void =>
    context.addIssue({ code: 'custom', path: [field], message });

/** Connection details that are not saved, or not yet. */
export const Unsaved = Connection.superRefine((details, context) => checkTrust(details, addIssueTo(context)));

/** Details to be saved. */
export const NodeDetails = Connection.extend({
  name: line(256).refine((name) => name !== '', 'field.nodeName' satisfies FieldCode),
}).superRefine((details, context) => {
  const addIssue = addIssueTo(context);
  checkTrust(details, addIssue);
  if (details.apiToken !== '' && details.clearApiToken) addIssue('clearApiToken', 'field.tokenTwice');
});
export type NodeDetails = z.output<typeof NodeDetails>;
export type Connection = z.output<typeof Unsaved>;

/** Endpoints of nodes. */
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
