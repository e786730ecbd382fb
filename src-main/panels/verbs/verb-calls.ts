import * as z from 'zod';
import type { JobMessage, VerbRequest } from '../../bridge/jobs.ts';
import { readClients } from '../reading/read-clients.ts';
import { readStatus } from '../reading/read-status.ts';
import { Amount, Flag, listOf, Moment, Text } from '../reading/tolerant.ts';
import type { PanelCalls } from '../jobs/panel-calls.ts';
import { toFailure } from '../jobs/panel-calls.ts';
import { say, JobFailure } from '../jobs/job-failure.ts';
import { Cancelled } from '../jobs/job-list.ts';

const DAY_MS = 86_400_000;
/** Up to this many clients are read one by one; for more the whole list is read. */
const ONE_BY_ONE = 20;
/** Most clients whose change is listed. */
const SHOWN = 5;
const JOB_EVERY_MS = 1_000;

interface Found {
  email: string;
  enable: boolean;
  totalBytes: number;
  expiresAtMs: number;
}
export interface Planned {
  count: number;
  /** Existing e-mails, as the panel writes them. */
  emails: string[];
  /** Expiry and quota by e-mail: a change that was already made is not made twice. */
  marks: ReadonlyMap<string, string>;
  notes: JobMessage[];
}

const NOTHING: Planned = { count: 0, emails: [], marks: new Map(), notes: [] };

/** What an action will do on one panel, by the panel's present data. @throws {JobFailure} */
export async function planOnPanel(calls: PanelCalls, request: VerbRequest): Promise<Planned> {
  if (request.verb === 'restartCore' || request.verb === 'updateCore' || request.verb === 'backup')
    return planForPanel(calls, request);
  const found = await findClients(calls, request.emails);
  if (found.length === 0) return { ...NOTHING, notes: [say('notHere')] };
  const notes = found.slice(0, SHOWN).map((client) => noteOf(client, request));
  const marks = new Map(found.map(({ email, expiresAtMs, totalBytes }) => [email, `${expiresAtMs} ${totalBytes}`]));
  return { count: found.length, emails: [...marks.keys()], marks, notes: notes.flat() };
}

async function planForPanel(calls: PanelCalls, { verb, version }: VerbRequest): Promise<Planned> {
  const { machine } = await readStatus(calls.link).catch((error: unknown) => {
    throw toFailure(error);
  });
  const from = machine.coreVersion;
  const notes: Record<'restartCore' | 'updateCore' | 'backup', JobMessage> = {
    restartCore: say('coreRestarts', { version: from }),
    updateCore: say('coreMoves', { from, to: version }),
    backup: say('backupPulled'),
  };
  return { ...NOTHING, count: 1, notes: [notes[verb as keyof typeof notes]] };
}

const Wrapped = z.object({
  client: z
    .object({ enable: Flag, totalGB: Amount, expiryTime: Moment })
    .transform(({ totalGB, expiryTime, enable }) => ({ enable, totalBytes: totalGB, expiresAtMs: expiryTime })),
});

async function findClients(calls: PanelCalls, emails: readonly string[]): Promise<Found[]> {
  if (emails.length > ONE_BY_ONE) return findInList(calls, emails);
  const found: Found[] = [];
  for (const email of emails) {
    let result: unknown;
    try {
      result = await calls.get(`/panel/api/clients/get/${encodeURIComponent(email)}`);
    } catch (error) {
      if (!(error instanceof JobFailure)) throw error;
      // Older panels cannot return a single client.
      if (error.detail.code === 'absent') return findInList(calls, emails);
      if (error.detail.code !== 'panelSays') throw error;
      continue;
    }
    const read = Wrapped.safeParse(result);
    // As requested: texts for display have characters removed.
    if (read.success) found.push({ ...read.data.client, email });
  }
  return found;
}

async function findInList(calls: PanelCalls, emails: readonly string[]): Promise<Found[]> {
  const wanted = new Set(emails);
  const found: Found[] = [];
  await readClients(calls.link, (client) => {
    if (wanted.has(client.email)) found.push(client);
  }).catch((error: unknown) => {
    throw toFailure(error);
  });
  return found;
}

function noteOf(
  { email, enable, totalBytes, expiresAtMs }: Found,
  { verb, addDays, addBytes }: VerbRequest,
): JobMessage[] {
  if (verb === 'enable' || verb === 'disable') return [say(enable ? 'wasOn' : 'wasOff', { email })];
  if (verb === 'resetTraffic') return [say('counterZero', { email })];
  const notes: JobMessage[] = [];
  if (addDays !== 0) {
    if (expiresAtMs === 0) notes.push(say('expiryEndless', { email }));
    else if (expiresAtMs < 0) notes.push(say('expiryFirstUse', { email, days: addDays }));
    else notes.push(say('expiryMoves', { email, fromMs: expiresAtMs, toMs: expiresAtMs + addDays * DAY_MS }));
  }
  if (addBytes !== 0) {
    if (totalBytes === 0) notes.push(say('quotaEndless', { email }));
    else notes.push(say('quotaMoves', { email, fromBytes: totalBytes, toBytes: Math.max(0, totalBytes + addBytes) }));
  }
  return notes;
}

const Changed = z.object({
  adjusted: Amount.optional(),
  changed: Amount.optional(),
  affected: Amount.optional(),
  skipped: listOf(z.object({ email: Text, reason: Text }), 1_000),
});

/** Runs the action on one panel. @returns the panel's result @throws {JobFailure} */
export async function runOnPanel(
  calls: PanelCalls,
  { verb, addDays, addBytes, version }: VerbRequest & { verb: Exclude<VerbRequest['verb'], 'backup'> },
  emails: readonly string[],
  signal: AbortSignal,
): Promise<JobMessage[]> {
  switch (verb) {
    case 'restartCore':
      await firstThatIs(calls, ['restartCoreService', 'restartXrayService']);
      return [say('changed', { count: 1 })];
    case 'updateCore': {
      const tag = encodeURIComponent(version);
      const result = await firstThatIs(calls, [`installCore/${tag}`, `installXray/${tag}`]);
      await followJob(calls, result, signal);
      return [say('changed', { count: 1 })];
    }
    case 'extend':
      return read(await calls.post('/panel/api/clients/bulkAdjust', { emails, addDays, addBytes }), emails.length);
    case 'resetTraffic':
      return read(await calls.post('/panel/api/clients/bulkResetTraffic', { emails }), emails.length);
    default: {
      const path = verb === 'enable' ? 'bulkEnable' : 'bulkDisable';
      return read(await calls.post(`/panel/api/clients/${path}`, { emails }), emails.length);
    }
  }
}

function read(result: unknown, requestedCount: number): JobMessage[] {
  const { adjusted, changed, affected, skipped = [] } = Changed.safeParse(result).data ?? {};
  const count = adjusted ?? changed ?? affected ?? requestedCount - skipped.length;
  const left = skipped.slice(0, SHOWN).map(({ email, reason }) => say('leftAlone', { email, words: reason }));
  return [say('changed', { count }), ...left];
}

/** Other panels of this interface call it after their core. */
async function firstThatIs(calls: PanelCalls, [path, other]: readonly [string, string]): Promise<unknown> {
  try {
    return await calls.post(`/panel/api/server/${path}`);
  } catch (error) {
    if (!(error instanceof JobFailure) || error.detail.code !== 'absent') throw error;
    return calls.post(`/panel/api/server/${other}`);
  }
}

const Job = z.object({ state: Text, error: Text });

/** Our panels continue an installation after the response, as a job. @throws {Cancelled} when it was ended by us */
async function followJob(calls: PanelCalls, result: unknown, signal: AbortSignal): Promise<void> {
  const id = (result as { jobId?: unknown } | null | undefined)?.jobId;
  if (typeof id !== 'string') return;
  const path = `/panel/api/jobs/${encodeURIComponent(id)}`;
  let isEnding = false;
  for (;;) {
    const { state = '', error = '' } = Job.safeParse(await calls.get(path)).data ?? {};
    if (state === 'cancelled' && isEnding) throw new Cancelled('cancelled');
    if (state === 'failed' || state === 'cancelled') throw new JobFailure('panelSays', { words: error });
    if (state !== 'running') return;
    if (signal.aborted && !isEnding) {
      isEnding = true;
      // One that ends at this moment cannot be cancelled: the next look says how it ended.
      await calls.post(`${path}/cancel`).catch(() => undefined);
    }
    await new Promise((resolve) => setTimeout(resolve, JOB_EVERY_MS));
  }
}
