import * as z from 'zod';
import { endpoint } from '../../contract/endpoint.ts';
import { Reason } from '../../contract/envelope.ts';

/** Stages of a directory session, in order. */
export const DIRECTORY_STAGES = ['connect', 'tls', 'bind', 'search'] as const;
export const DirectoryStage = z.enum(DIRECTORY_STAGES);
export type DirectoryStage = z.infer<typeof DirectoryStage>;

const DirectoryFailure = Reason.extend({
  /** The stage reached; null = the session had not begun. */
  stage: DirectoryStage.nullable(),
});
export type DirectoryFailure = z.infer<typeof DirectoryFailure>;

export const DirectoryTest = z.object({
  /** The last stage that was started; `search` when the test succeeded. */
  stage: DirectoryStage,
  /** Stages that the settings skip: no TLS, or a search without a bind. */
  unused: z.array(DirectoryStage),
  /** Number of entries that the filter finds. */
  entries: z.int(),
  /** Why it failed; null = it succeeded. */
  failure: DirectoryFailure.nullable(),
});
export type DirectoryTest = z.infer<typeof DirectoryTest>;

/**
 * Why a plan waits for a person: it is the first one, or the first with these settings; more than a tenth of the
 * clients would lose their access, counted over a day; or the directory returned less than half of the entries of the
 * last run.
 */
const HeldFor = z.enum(['first', 'tenth', 'shrunk']);
export type HeldFor = z.infer<typeof HeldFor>;

/** An entry that yields no client: its name is not text, is unusable, or belongs to two entries that disagree. */
const LeftOut = z.object({
  /** Name of the entry in the directory. */
  name: z.string(),
  /**
   * `notText`: its name is not text; `unusable`: no client can have this name; `disagree`: two entries with this name
   * contradict each other.
   */
  why: z.enum(['notText', 'unusable', 'disagree']),
});
export type LeftOut = z.infer<typeof LeftOut>;

const Emails = z.array(z.string());

export const DirectoryPlan = z.object({
  /** Identifies exactly these changes; required to confirm them. */
  id: z.string(),
  /** Entries that the filter found. */
  entries: z.int(),
  /** Number of clients that the directory manages. */
  clients: z.int(),
  /** Clients to create. */
  create: Emails,
  /** Existing clients that are attached to the inbounds again. */
  attach: Emails,
  /** Clients to enable. */
  enable: Emails,
  /** Clients to disable. */
  disable: Emails,
  /** Clients to detach from the inbounds; they and their counters stay. */
  detach: Emails,
  /** Entries that yield no client. */
  leftOut: z.array(LeftOut),
  /** Configured tags that no inbound has. */
  unknownTags: z.array(z.string()),
  /**
   * Why a person has to confirm it. `first`: the first plan with these settings; `tenth`: more than a tenth of the
   * clients would lose access within a day; `shrunk`: the directory has less than half of the entries of the last run.
   * Null = a scheduled run would apply it.
   */
  heldFor: HeldFor.nullable(),
});
export type DirectoryPlan = z.infer<typeof DirectoryPlan>;

export const DirectoryRun = z.object({
  /** Time of the run, in ms since 1970. */
  at: z.int(),
  /** Whether the schedule started it; false = a person did. */
  isScheduled: z.boolean(),
  /** `held`: nothing was changed, it waits for a person; `failed`: see `failure` for the reason. */
  outcome: z.enum(['done', 'held', 'failed']),
  /** Number of entries that the filter found. */
  entries: z.int(),
  /** What was changed, or for a held run, what would change. */
  counts: z.object({
    /** Clients created. */
    create: z.int(),
    /** Existing clients attached to the inbounds again. */
    attach: z.int(),
    /** Clients enabled. */
    enable: z.int(),
    /** Clients disabled. */
    disable: z.int(),
    /** Clients detached from the inbounds; they and their counters stay. */
    detach: z.int(),
  }),
  /** Why it waits for a person, as in a plan; null = it does not. */
  heldFor: HeldFor.nullable(),
  /** Configured tags that no inbound has. */
  unknownTags: z.array(z.string()),
  /** The first few clients that could not be created or changed. */
  skipped: z.array(Reason.extend({ email: z.string() })),
  /** Why it failed; null = it did not. */
  failure: DirectoryFailure.nullable(),
});
export type DirectoryRun = z.infer<typeof DirectoryRun>;

export const DirectoryState = z.object({
  /** Whether the directory sync is enabled. */
  isEnabled: z.boolean(),
  /** Whether a run is in progress. */
  isRunning: z.boolean(),
  /** The last run; null = there was none. */
  lastRun: DirectoryRun.nullable(),
  /** Time of the last successful run, in ms since 1970; 0 = never. */
  lastDoneAt: z.int(),
});
export type DirectoryState = z.infer<typeof DirectoryState>;

const BASE = '/panel/api/directory';

export const getDirectoryState = endpoint('GET', `${BASE}/state`, {
  summary: 'The last run of the directory synchronisation and what came of it.',
  result: DirectoryState,
});

export const testDirectory = endpoint('POST', `${BASE}/test`, {
  summary:
    'Talks with the directory by the stored settings: how far it came, how many entries it finds, its own words.',
  result: DirectoryTest,
});

export const planDirectory = endpoint('POST', `${BASE}/plan`, {
  summary: 'What a run would change now; changes nothing.',
  result: DirectoryPlan,
});

export const applyDirectory = endpoint('POST', `${BASE}/apply`, {
  summary: 'Makes exactly the changes of a plan; refused when the directory or the clients have changed since.',
  body: z.object({
    /** Id of the plan, as returned by the server. */
    id: z.string().max(128),
  }),
  encoding: 'json',
  result: DirectoryRun,
});
