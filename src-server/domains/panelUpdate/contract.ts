import * as z from 'zod';
import { endpoint } from '../../contract/endpoint.ts';

const BASE = '/panel/api/server';
const Channel = z.enum(['stable', 'dev']);

export const getPanelUpdateInfo = endpoint('GET', `${BASE}/getPanelUpdateInfo`, {
  summary: 'Whether a newer panel was released; fails without a text, because pages ask by themselves.',
  result: z.object({
    /** The update channel: releases, or development builds. */
    channel: Channel,
    /** Running version. */
    currentVersion: z.string(),
    /** Tag of the newest version in the channel. */
    latestVersion: z.string(),
    /** Running commit, eight characters; for development builds only. */
    currentCommit: z.string().optional(),
    /** Newest commit, eight characters; for development builds only. */
    latestCommit: z.string().optional(),
    /** Whether the newest one is newer than the running one. */
    updateAvailable: z.boolean(),
    /** Whether the panel can update itself here; otherwise its package has to be replaced by hand. */
    canUpdate: z.boolean(),
  }),
});

export const updatePanel = endpoint('POST', `${BASE}/updatePanel`, {
  summary: 'Starts an update of the panel; its state is asked for by the run id.',
  body: z.object({
    /** `true` = development builds, `false` = releases; left out of an update = the chosen channel. */
    dev: z.union([z.boolean(), z.string().max(16)]).optional(),
  }),
  /** A decimal text: the number is too large for JSON. */
  result: z.object({
    /** Id of the run as text: it is too large for a JSON number. */
    runId: z.string(),
  }),
  message: 'panelUpdate.started',
});

export const UpdateStatus = z.object({
  /** Id of the last run; `0` = none. */
  runId: z.string(),
  /** State of the run; `pending` also before a first run. */
  status: z.enum(['pending', 'success', 'failed']),
  /** The same as `status`, for older clients. */
  state: z.enum(['pending', 'success', 'failed']),
  /** Why it failed; empty otherwise. */
  message: z.string(),
  /** Exit code of the updater; 0 = success, or it is still running. */
  exitCode: z.int(),
  /** When it ended, in seconds since 1970; 0 while it runs. */
  finishedAt: z.int(),
});
export type UpdateStatus = z.infer<typeof UpdateStatus>;

export const getUpdateStatus = endpoint('GET', `${BASE}/getUpdateStatus`, {
  summary: 'How the last update of the panel went.',
  result: UpdateStatus,
});

export const setUpdateChannel = endpoint('POST', `${BASE}/setUpdateChannel`, {
  summary: 'Chooses between releases and the rolling development channel, which only development builds follow.',
  body: z.object({
    /** `true` = development builds, `false` = releases; left out of an update = the chosen channel. */
    dev: z.union([z.boolean(), z.string().max(64)]).optional(),
  }),
  result: z.null(),
  message: 'panelUpdate.channelChanged',
});
