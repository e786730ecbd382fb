/** Work on several panels at once: verbs, moving between panels, comparing. It runs beside the page, which looks at it by its id. */

/** What the interface has words for. */
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
  // What a verb will do, or did.
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
  // What a plan to copy or move has to say.
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
  // What went wrong while it was done.
  'clientsRefused',
  'coreNotRunning',
  'noConnection',
  'journalNotKept',
  'interrupted',
  'failed',
  // What taking a line over met.
  'lineGone',
  'lineSecret',
  'lineBound',
] as const;
export type JobMessageCode = (typeof JOB_MESSAGES)[number];

/** Something to say, with what it names. `words` are a panel's own. */
export interface JobMessage {
  code: JobMessageCode;
  params: Record<string, string | number>;
}

export type JobState = 'running' | 'undoing' | 'done' | 'failed' | 'cancelled';

/** Work that is looked at by its id. */
export interface JobView<R> {
  id: string;
  state: JobState;
  /** Steps that are behind it, of those that are known. */
  done: number;
  total: number;
  /** Why it failed; null otherwise. */
  trouble: JobMessage | null;
  /** What there is of the result so far. */
  result: R | null;
}

export const CLIENT_VERBS = ['enable', 'disable', 'extend', 'resetTraffic'] as const;
export const PANEL_VERBS = ['restartCore', 'updateCore', 'backup'] as const;
export type BulkVerb = (typeof CLIENT_VERBS)[number] | (typeof PANEL_VERBS)[number];

/** A verb on several panels. */
export interface VerbAsk {
  verb: BulkVerb;
  panelIds: string[];
  /** Of clients; none for verbs of panels. */
  emails: string[];
  /** For `extend`. Both may be negative. */
  addDays: number;
  addBytes: number;
  /** Of the core, for `updateCore`; `latest` for the newest. */
  version: string;
}

/** `waiting`: planned. `nothing`: it has nothing to do there. */
export type StepState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled' | 'nothing';
export interface VerbStep {
  panelId: string;
  state: StepState;
  /** Clients or one core that it is about. */
  count: number;
  /** What it will do; after it, what the panel answered. */
  notes: JobMessage[];
}

export interface TransferAsk {
  fromId: string;
  toId: string;
  mode: 'copy' | 'move';
  inboundIds: number[];
  /** Also the clients of these inbounds. */
  withClients: boolean;
  /** Further clients. */
  emails: string[];
  /** Inbounds of the other panel that the further clients are put on. */
  ontoInboundIds: number[];
}

/** What was decided of a plan's clashes. */
export interface TransferChoices {
  /** Port by id of the inbound. */
  ports: Record<string, number>;
  /** New e-mail by e-mail; empty = it stays out. */
  emails: Record<string, string>;
  /** Before the old one is switched off, the new port is tried from this computer. */
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
  /** Empty: it stays out. */
  newEmail: string;
  usedBytes: number;
  isRefused: boolean;
  notes: JobMessage[];
}

export interface TransferPlan {
  mode: 'copy' | 'move';
  inbounds: PlannedInbound[];
  /** Those with something to say first; the first 500. */
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

/** A transfer that was interrupted: it is being brought to an end, could not be since, or was, which is told once. */
export interface UnfinishedTransfer {
  id: string;
  fromId: string;
  toId: string;
  mode: 'copy' | 'move';
  startedAtMs: number;
  /** How it was brought to its end; `unknown`: its journal ended with the application. Null: it was not yet. */
  outcome: 'undone' | 'finished' | 'unknown' | null;
  /** It is being brought to an end now. */
  isRunning: boolean;
  trouble: JobMessage | null;
}

export const COMPARED = ['settings', 'core', 'inbounds'] as const;
export type ComparedPart = (typeof COMPARED)[number];
/** One line of a comparison. Null: not there. */
export interface ComparedLine {
  id: string;
  part: ComparedPart;
  /** What stands together: an inbound, a section of the template. */
  group: string;
  /** Path within the group. */
  path: string;
  left: string | null;
  right: string | null;
  /** Never shown and never taken over. */
  isSecret: boolean;
  /** Bound to its machine: ports and addresses of the panel, files, domains. */
  isBound: boolean;
}
export interface Comparison {
  lines: ComparedLine[];
  sameCount: number;
  /** More differs than is told. */
  isCut: boolean;
  /** Parts that a panel does not tell. */
  unread: { panelId: string; part: ComparedPart; why: JobMessage }[];
}
export interface LineAsk {
  id: string;
  lineId: string;
  /** Where it is taken from. */
  from: 'left' | 'right';
  /** Said of a line that is bound to its machine. */
  isConfirmed: boolean;
}

export interface JobVerbs {
  /** @returns the id of the work, whose result are the steps as they would be made */
  planVerb(ask: VerbAsk): Promise<string>;
  /** Does what was planned. */
  runVerb(id: string): Promise<void>;
  /** Once more on one panel. */
  retryVerb(ask: { id: string; panelId: string }): Promise<void>;
  verb(id: string): Promise<JobView<VerbStep[]>>;
  planTransfer(ask: TransferAsk): Promise<string>;
  transferPlan(id: string): Promise<JobView<TransferPlan>>;
  /** The plan with other choices; nothing is read again. */
  chooseTransfer(ask: { id: string; choices: TransferChoices }): Promise<TransferPlan>;
  /** @returns the id of the work that does what was planned */
  runTransfer(id: string): Promise<string>;
  transfer(id: string): Promise<JobView<TransferProgress>>;
  unfinished(): Promise<UnfinishedTransfer[]>;
  /** Brings an interrupted transfer to its end: undone, or finished when only the old ones were left to be switched off. */
  settle(id: string): Promise<void>;
  /** Leaves everything as it is now. */
  forget(id: string): Promise<void>;
  compare(ask: { leftId: string; rightId: string }): Promise<string>;
  comparison(id: string): Promise<JobView<Comparison>>;
  /** @returns null, or why it was not taken over */
  takeLine(ask: LineAsk): Promise<JobMessage | null>;
  cancel(id: string): Promise<void>;
}
