import * as z from 'zod';
import { endpoint } from '../../contract/endpoint.ts';
import { Reason } from '../../contract/envelope.ts';

/** How far a conversation with the directory came, in order. */
export const DIRECTORY_STAGES = ['connect', 'tls', 'bind', 'search'] as const;
export const DirectoryStage = z.enum(DIRECTORY_STAGES);
export type DirectoryStage = z.infer<typeof DirectoryStage>;

const DirectoryFailure = Reason.extend({
  /** How far the conversation had come; null = it had not begun. */
  stage: DirectoryStage.nullable(),
});
export type DirectoryFailure = z.infer<typeof DirectoryFailure>;

export const DirectoryTest = z.object({
  /** The last stage that was begun; `search` when all went well. */
  stage: DirectoryStage,
  /** Stages that the settings leave out: no TLS, a search without a bind. */
  unused: z.array(DirectoryStage),
  /** Entries that the filter finds. */
  entries: z.int(),
  /** Why it failed; null = all went well. */
  failure: DirectoryFailure.nullable(),
});
export type DirectoryTest = z.infer<typeof DirectoryTest>;

/**
 * Why a plan waits for a person: it is the first one, or the first with these settings; more than a tenth of the clients would
 * lose their access, counted over a day; the directory answered with less than half of the entries of the last run.
 */
const HeldFor = z.enum(['first', 'tenth', 'shrunk']);
export type HeldFor = z.infer<typeof HeldFor>;

/** An entry that no client comes of: its name is no text, no usable name, or stands at two entries that disagree. */
const LeftOut = z.object({
  /** Name of the entry in the directory. */
  name: z.string(),
  /**
   * `notText`: its name is no text; `unusable`: no client can be called so; `disagree`: two entries of this name
   * contradict each other.
   */
  why: z.enum(['notText', 'unusable', 'disagree']),
});
export type LeftOut = z.infer<typeof LeftOut>;

const Emails = z.array(z.string());

export const DirectoryPlan = z.object({
  /** Names exactly these changes; asked for when they are confirmed. */
  id: z.string(),
  /** Entries that the filter found. */
  entries: z.int(),
  /** Clients that the directory decides about. */
  clients: z.int(),
  /** Clients that are made. */
  create: Emails,
  /** Clients of this panel that come back to the inbounds. */
  attach: Emails,
  /** Clients that are switched on. */
  enable: Emails,
  /** Clients that are switched off. */
  disable: Emails,
  /** Clients that leave the inbounds; they and their counters stay. */
  detach: Emails,
  /** Entries that no client comes of. */
  leftOut: z.array(LeftOut),
  /** Configured tags that no inbound has. */
  unknownTags: z.array(z.string()),
  /**
   * Why a person has to confirm it. `first`: the first plan with these settings; `tenth`: more than a tenth of the
   * clients would lose access within a day; `shrunk`: the directory has less than half of the entries of the last run.
   * Null = a scheduled run would do it.
   */
  heldFor: HeldFor.nullable(),
});
export type DirectoryPlan = z.infer<typeof DirectoryPlan>;

export const DirectoryRun = z.object({
  /** When it was, in ms since 1970. */
  at: z.int(),
  /** Whether the schedule started it; false = a person did. */
  isScheduled: z.boolean(),
  /** `held`: nothing was changed, it waits for a person; `failed`: why is in `failure`. */
  outcome: z.enum(['done', 'held', 'failed']),
  /** Entries that the filter found. */
  entries: z.int(),
  /** What was changed, or of a run that is held: what would be. */
  counts: z.object({
    /** Clients that were made. */
    create: z.int(),
    /** Clients of this panel that came back to the inbounds. */
    attach: z.int(),
    /** Clients that were switched on. */
    enable: z.int(),
    /** Clients that were switched off. */
    disable: z.int(),
    /** Clients that left the inbounds; they and their counters stay. */
    detach: z.int(),
  }),
  /** Why it waits for a person, as in a plan; null = it does not. */
  heldFor: HeldFor.nullable(),
  /** Configured tags that no inbound has. */
  unknownTags: z.array(z.string()),
  /** Clients that could not be made or changed; the first few. */
  skipped: z.array(Reason.extend({ email: z.string() })),
  /** Why it failed; null = it did not. */
  failure: DirectoryFailure.nullable(),
});
export type DirectoryRun = z.infer<typeof DirectoryRun>;

export const DirectoryState = z.object({
  /** Whether clients follow a directory. */
  isEnabled: z.boolean(),
  /** Whether a run is under way. */
  isRunning: z.boolean(),
  /** The last run; null = there was none. */
  lastRun: DirectoryRun.nullable(),
  /** When a run last went through, in ms since 1970, 0 = never. */
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
    /** Id of the plan, as it was answered. */
    id: z.string().max(128),
  }),
  encoding: 'json',
  result: DirectoryRun,
});
