import type { TransferRequest, TransferProgress } from '../../bridge/jobs.ts';
import { fewAtATime } from '../jobs/few-at-a-time.ts';
import type { PanelCalls } from '../jobs/panel-calls.ts';
import type { Progress } from '../jobs/job-list.ts';
import { requireConnections, requireRunningCore } from './target-checks.ts';
import { CLIENTS_AT_ONCE, createClients, journalClients, setCounters } from './create-clients.ts';
import { createFallbacks, createInbound } from './create-inbounds.ts';
import type { PreparedTransfer } from './plan-transfer.ts';
import { readCounters, readPlaces } from './read-transfer.ts';
import type { FinalCounters, JournalClient, JournalHead, TransferJournal } from './transfer-journal.ts';
import { undoTransfer } from './undo-transfer.ts';

const CALLS_AT_ONCE = 4;

export interface TransferWay {
  from: PanelCalls;
  to: PanelCalls;
  journal: TransferJournal;
}
type Shown = Progress<TransferProgress>;
type Show = (phase: TransferProgress['phase'], done: number, total: number) => void;

/** Carries out a plan; on any failure everything is restored. @throws {JobFailure | Cancelled} */
export async function runTransfer(
  way: TransferWay,
  prepared: PreparedTransfer,
  {
    request,
    isProbed,
    id,
    startedAtMs,
  }: { request: TransferRequest; isProbed: boolean; id: string; startedAtMs: number },
  progress: Shown,
): Promise<void> {
  const { from, to, journal } = way;
  const sent = journalClients(prepared.clients);
  const head: JournalHead = {
    id,
    fromId: request.fromId,
    toId: request.toId,
    mode: request.mode,
    startedAtMs,
    phase: 'creating',
    beforeInboundIds: (await readPlaces(to)).map((place) => place.id),
    inbounds: [],
    clientsBegun: 0,
    switchOff: { inboundIds: [], emails: [] },
  };
  const show: Show = (phase, done, total) => {
    progress.count(done, total);
    progress.show({ phase, inboundCount: head.inbounds.length, clientCount: head.clientsBegun });
  };
  journal.begin(head, sent);
  try {
    await create(way, prepared, { head, sent, show, progress });
    if (request.mode === 'move') {
      show('checking', 0, 1);
      await requireRunningCore(to, progress.signal);
      if (isProbed) await requireConnections(to, prepared.inbounds, progress.signal);
      progress.stopIfCancelled();
      head.switchOff = whatIsSwitchedOff(prepared, request);
      head.phase = 'switching';
      journal.note(head);
      show('switchingOff', 0, 1);
      await finishMove(way, head, sent);
    }
    journal.end(id);
    show('done', 1, 1);
  } catch (error) {
    progress.become('undoing');
    show('undoing', 0, 1);
    head.phase = 'undoing';
    journal.note(head);
    await undoTransfer(from, to, head, sent);
    journal.end(id);
    show('undone', 1, 1);
    throw error;
  }
}

interface Making {
  head: JournalHead;
  sent: JournalClient[];
  show: Show;
  progress: Shown;
}

/** Each thing is noted before it is made, and its id after: so one that was made without a response is found. */
async function create(
  { to, journal }: TransferWay,
  prepared: PreparedTransfer,
  { head, sent, show, progress }: Making,
): Promise<void> {
  const { inbounds, clients } = prepared;
  for (const [index, inbound] of inbounds.entries()) {
    progress.stopIfCancelled();
    show('inbounds', index, inbounds.length);
    const { id: sourceId, protocol, remark } = inbound.source;
    const made: JournalHead['inbounds'][number] = { sourceId, port: inbound.port, protocol, remark, newId: null };
    head.inbounds.push(made);
    journal.note(head);
    made.newId = await createInbound(to, inbound, head.beforeInboundIds);
    journal.note(head);
  }
  await createFallbacks(to, inbounds, head);
  const newIds = new Map(head.inbounds.map(({ sourceId, newId }) => [sourceId, newId!]));
  for (let begun = 0; begun < clients.length; begun += CLIENTS_AT_ONCE) {
    progress.stopIfCancelled();
    show('clients', begun, clients.length);
    const end = Math.min(begun + CLIENTS_AT_ONCE, clients.length);
    head.clientsBegun = end;
    journal.note(head);
    await createClients(to, clients.slice(begun, end), sent.slice(begun, end), newIds);
  }
  progress.stopIfCancelled();
  const used = sent.filter(({ upBytes, downBytes }) => upBytes + downBytes > 0);
  let counted = 0;
  show('counters', 0, used.length);
  await setCounters(
    to,
    used.map(({ email, upBytes, downBytes }) => ({ email, upload: upBytes, download: downBytes })),
    () => show('counters', (counted += 1), used.length),
  );
  progress.stopIfCancelled();
}

function whatIsSwitchedOff(
  { inbounds, clients }: PreparedTransfer,
  request: TransferRequest,
): JournalHead['switchOff'] {
  const chosen = new Set(request.emails);
  return {
    inboundIds: inbounds.filter(({ source }) => source.enable).map(({ source }) => source.id),
    emails: clients
      .filter(({ source }) => chosen.has(source.email) && source.body['enable'] !== false)
      .map(({ source }) => source.email),
  };
}

/**
 * Switches the old ones off, and adds what they moved since they were read to the new ones. May be done again after an
 * interruption.
 * @throws {JobFailure}
 */
export async function finishMove(
  { from, to, journal }: TransferWay,
  head: JournalHead,
  sent: readonly JournalClient[],
) {
  for (const id of head.switchOff.inboundIds) await from.post(`/panel/api/inbounds/setEnable/${id}`, { enable: false });
  if (head.switchOff.emails.length > 0)
    await from.post('/panel/api/clients/bulkDisable', { emails: head.switchOff.emails });
  let finals = journal.finals(head.id);
  if (finals === null) {
    const counted: FinalCounters[] = [];
    await fewAtATime(sent, CALLS_AT_ONCE, async ({ email, sourceEmail, upBytes, downBytes }) => {
      const old = await readCounters(from, sourceEmail);
      const [upload, download] = [old.up - upBytes, old.down - downBytes];
      if (upload <= 0 && download <= 0) return;
      const now = await readCounters(to, email);
      counted.push({ email, upload: now.up + Math.max(0, upload), download: now.down + Math.max(0, download) });
    });
    // Kept as sums, so that doing it again does not add twice.
    journal.writeFinals(head.id, counted);
    finals = counted;
  }
  await setCounters(to, finals, () => undefined);
}
