/** Jobs on several panels: bulk actions, transfers, comparisons. They run beside the page, which polls them by id. */

/** Message codes that the interface has texts for. */
export const JOB_MESSAGES = [
  // Why a call to a panel failed.
  'down',
  'refused',
  'untrusted',
  'wrong',
  'absent',
  'panelSays',
  'notRunning',
  'unknownPanel',
  // What an action will do, or did.
  'expiryMoves',
  'expiryEndless',
  'expiryFirstUse',
  'quotaMoves',
  'quotaEndless',
  'wasOff',
  'wasOn',
  'counterZero',
  'notHere',
  'coreMoves',
  'coreRestarts',
  'backupPulled',
  'changed',
  'leftAlone',
  'alreadyMoved',
  // Findings of a plan to copy or move.
  'portTaken',
  'portTwice',
  'portRefused',
  'emailTaken',
  'emailTwice',
  'subIdTaken',
  'planLeft',
  'planDiffers',
  'certificateFiles',
  'certificateFilesMissing',
  'nodeInbound',
  'protocolUnknown',
  'fallbacksLeft',
  'fallbacksUnknown',
  'hostsLeft',
  'rulesLeft',
  'noInbound',
  'staysOn',
  'oldTarget',
  'samePanel',
  'tooMany',
  'inboundGone',
  'clientGone',
  'notProtected',
  'fetchNewAddress',
  'fetchNewPort',
  'fetchNewSubId',
  'fetchNothing',
  // Failures while it was carried out.
  'clientsRefused',
  'coreNotRunning',
  'noConnection',
  'journalNotKept',
  'interrupted',
  'failed',
  // Findings of applying a line to the other panel.
  'lineGone',
  'lineSecret',
  'lineBound',
] as const;
export type JobMessageCode = (typeof JOB_MESSAGES)[number];

/** A message with its parameters. `words` are a panel's own. */
export interface JobMessage {
  code: JobMessageCode;
  params: Record<string, string | number>;
}

export type JobState = 'running' | 'undoing' | 'done' | 'failed' | 'cancelled';

/** A job's state, by its id. */
export interface JobView<R> {
  id: string;
  state: JobState;
  /** Steps completed, of those known. */
  done: number;
  total: number;
  /** Why it failed; null otherwise. */
  trouble: JobMessage | null;
  /** The result so far. */
  result: R | null;
}

export const CLIENT_VERBS = ['enable', 'disable', 'extend', 'resetTraffic'] as const;
export const PANEL_VERBS = ['restartCore', 'updateCore', 'backup'] as const;
export type BulkVerb = (typeof CLIENT_VERBS)[number] | (typeof PANEL_VERBS)[number];

/** Most clients of a job that are named by their e-mails. */
export const MAX_EMAILS = 10_000;

/** An action on several panels. */
export interface VerbRequest {
  verb: BulkVerb;
  panelIds: string[];
  /** E-mails of clients; empty for actions on panels. */
  emails: string[];
  /** For `extend`. Both may be negative. */
  addDays: number;
  addBytes: number;
  /** The core's version, for `updateCore`; `latest` for the newest. */
  version: string;
}

/** `waiting`: planned. `nothing`: nothing to do there. */
export type StepState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled' | 'nothing';
export interface VerbStep {
  panelId: string;
  state: StepState;
  /** Clients or one core that it concerns. */
  count: number;
  /** What it will do; afterwards, what the panel answered. */
  notes: JobMessage[];
}

export interface TransferRequest {
  fromId: string;
  toId: string;
  mode: 'copy' | 'move';
  inboundIds: number[];
  /** Also transfers the clients of these inbounds. */
  withClients: boolean;
  /** Further clients. */
  emails: string[];
  /** Inbounds of the other panel to attach the further clients to. */
  ontoInboundIds: number[];
}

/** Decisions on a plan's conflicts. */
export interface TransferChoices {
  /** Port by id of the inbound. */
  ports: Record<string, number>;
  /** New e-mail by old e-mail; empty = the client is left out. */
  emails: Record<string, string>;
  /** Tests each new port from this computer before the old inbound is switched off. */
  isProbed: boolean;
}

export interface PlannedInbound {
  id: number;
  name: string;
  protocol: string;
  fromPort: number;
  port: number;
  clientCount: number;
  hostCount: number;
  isRefused: boolean;
  notes: JobMessage[];
}
export interface PlannedClient {
  email: string;
  /** Empty: it is left out. */
  newEmail: string;
  usedBytes: number;
  isRefused: boolean;
  notes: JobMessage[];
}

export interface TransferPlan {
  mode: 'copy' | 'move';
  inbounds: PlannedInbound[];
  /** Those with messages first; the first 500. */
  clients: PlannedClient[];
  inboundCount: number;
  clientCount: number;
  refusedCount: number;
  hostCount: number;
  /** What the clients have to fetch again. */
  fetchAgain: JobMessage[];
  notes: JobMessage[];
  choices: TransferChoices;
}

export const TRANSFER_PHASES = [
  'inbounds',
  'clients',
  'counters',
  'checking',
  'switchingOff',
  'undoing',
  'undone',
  'done',
] as const;
export interface TransferProgress {
  phase: (typeof TRANSFER_PHASES)[number];
  inboundCount: number;
  clientCount: number;
}

/** An interrupted transfer: being completed or undone, waiting for that, or ended, which is shown once. */
export interface UnfinishedTransfer {
  id: string;
  fromId: string;
  toId: string;
  mode: 'copy' | 'move';
  startedAtMs: number;
  /** How it ended; `unknown`: its journal ended with the application. Null: not yet. */
  outcome: 'undone' | 'finished' | 'unknown' | null;
  /** It is being completed or undone now. */
  isRunning: boolean;
  trouble: JobMessage | null;
}

export const COMPARED = ['settings', 'core', 'inbounds'] as const;
export type ComparedPart = (typeof COMPARED)[number];
/** One line of a comparison. Null: not present. */
export interface ComparedLine {
  id: string;
  part: ComparedPart;
  /** The group it belongs to: an inbound, a section of the template. */
  group: string;
  /** Path within the group. */
  path: string;
  left: string | null;
  right: string | null;
  /** Never shown and never copied. */
  isSecret: boolean;
  /** Bound to its machine: ports and addresses of the panel, files, domains. */
  isBound: boolean;
}
export interface Comparison {
  lines: ComparedLine[];
  sameCount: number;
  /** There are more differences than listed. */
  isCut: boolean;
  /** Parts that a panel does not report. */
  unread: { panelId: string; part: ComparedPart; why: JobMessage }[];
}
export interface LineRequest {
  id: string;
  lineId: string;
  /** The panel it is copied from. */
  from: 'left' | 'right';
  /** A warning about a line that is bound to its machine. */
  isConfirmed: boolean;
}

export interface JobVerbs {
  /** @returns the id of the job, whose result is the planned steps */
  planVerb(request: VerbRequest): Promise<string>;
  /** Carries out the plan. */
  runVerb(id: string): Promise<void>;
  /** Repeats it on one panel. */
  retryVerb(request: { id: string; panelId: string }): Promise<void>;
  verb(id: string): Promise<JobView<VerbStep[]>>;
  planTransfer(request: TransferRequest): Promise<string>;
  transferPlan(id: string): Promise<JobView<TransferPlan>>;
  /** The plan with other choices; nothing is read again. */
  chooseTransfer(request: { id: string; choices: TransferChoices }): Promise<TransferPlan>;
  /** @returns the id of the job that carries out the plan */
  runTransfer(id: string): Promise<string>;
  transfer(id: string): Promise<JobView<TransferProgress>>;
  unfinished(): Promise<UnfinishedTransfer[]>;
  /** Ends an interrupted transfer: undoes it, or completes it when only the old ones were left to be switched off. */
  settle(id: string): Promise<void>;
  /** Leaves everything as it is now. */
  forget(id: string): Promise<void>;
  compare(request: { leftId: string; rightId: string }): Promise<string>;
  comparison(id: string): Promise<JobView<Comparison>>;
  /** @returns null, or why it was not applied */
  takeLine(request: LineRequest): Promise<JobMessage | null>;
  cancel(id: string): Promise<void>;
}
