import * as z from 'zod';
import { endpoint } from '../../contract/endpoint.ts';

const BASE = '/panel/api/server';
const Channel = z.enum(['stable', 'dev']);

export const getPanelUpdateInfo = endpoint({
  method: 'GET',
  path: `${BASE}/getPanelUpdateInfo`,
  summary: 'Whether a newer panel was released; fails without a text, because pages ask by themselves',
  result: z.object({
    channel: Channel,
    currentVersion: z.string(),
    latestVersion: z.string(),
    /** Eight characters each; development builds only. */
    currentCommit: z.string().optional(),
    latestCommit: z.string().optional(),
    updateAvailable: z.boolean(),
    /** Whether {@link updatePanel} works here; otherwise a page can only lead to the release. */
    canUpdate: z.boolean(),
  }),
});

export const updatePanel = endpoint({
  method: 'POST',
  path: `${BASE}/updatePanel`,
  summary: 'Starts an update of the panel; its state is asked for by the run id',
  encoding: 'either',
  body: z.object({
    /** Overrides the channel for this run. */
    dev: z.union([z.boolean(), z.string().max(16)]).optional(),
  }),
  /** A decimal text: the number is too large for JSON. */
  result: z.object({ runId: z.string() }),
  message: 'panelUpdate.started',
});

export const UpdateStatus = z.object({
  /** `0` when there was no run. */
  runId: z.string(),
  status: z.enum(['pending', 'success', 'failed']),
  /** The same, for older clients. */
  state: z.enum(['pending', 'success', 'failed']),
  message: z.string(),
  exitCode: z.int(),
  /** Unix seconds; 0 while it runs. */
  finishedAt: z.int(),
});
export type UpdateStatus = z.infer<typeof UpdateStatus>;

export const getUpdateStatus = endpoint({
  method: 'GET',
  path: `${BASE}/getUpdateStatus`,
  summary: 'How the last update of the panel went',
  result: UpdateStatus,
});

export const setUpdateChannel = endpoint({
  method: 'POST',
  path: `${BASE}/setUpdateChannel`,
  summary: 'Chooses between releases and the rolling development channel, which only development builds follow',
  encoding: 'either',
  body: z.object({ dev: z.union([z.boolean(), z.string().max(64)]).optional() }),
  result: z.null(),
  message: 'panelUpdate.channelChanged',
});
