import type { SealedStore } from '../store/sealed-store.ts';
import { JobFailure } from '../jobs/job-failure.ts';

/** Of no panel: what belongs to two of them outlives either. */
const NO_PANEL = '';
const PREFIX = 'transfer ';

/** `creating`: an interrupted one is undone. `switching`: everything new is there and answers; an interrupted one is finished. */
export type JournalPhase = 'creating' | 'switching' | 'undoing';

export interface JournalInbound {
  sourceId: number;
  port: number;
  protocol: string;
  remark: string;
  /** Null until the new panel has answered: it may be there all the same. */
  newId: number | null;
}

/** What has to be known of a transfer to end it in another run of the application. */
export interface JournalHead {
  id: string;
  fromId: string;
  toId: string;
  mode: 'copy' | 'move';
  startedAtMs: number;
  phase: JournalPhase;
  /** Inbounds that the new panel had before. */
  beforeInboundIds: number[];
  /** Those that were begun, in order. */
  inbounds: JournalInbound[];
  /** So many clients were sent, or were about to be. */
  clientsBegun: number;
  /** What is switched off in the old panel, and was on. */
  switchOff: { inboundIds: number[]; emails: string[] };
}

/** An interrupted transfer that was brought to its end, until somebody has read that. */
export interface TransferOutcome extends Pick<JournalHead, 'id' | 'fromId' | 'toId' | 'mode' | 'startedAtMs'> {
  outcome: 'undone' | 'finished';
}

/** A client as the new panel gets it: by its secrets it is known again. */
export interface JournalClient {
  email: string;
  sourceEmail: string;
  uuid: string;
  password: string;
  auth: string;
  subId: string;
  /** Counters that were carried over. */
  upBytes: number;
  downBytes: number;
}
/** What a client's counters in the new panel are to be at the end. */
export interface FinalCounters {
  email: string;
  upload: number;
  download: number;
}

/** Transfers that are under way, in the sealed store. */
export function createTransferJournal(store: SealedStore) {
  const part = (id: string, name: string): string => `${PREFIX}${id} ${name}`;
  const write = (id: string, name: string, value: unknown): void =>
    store.replace(NO_PANEL, part(id, name), new Map([[part(id, name), value]]));
  return {
    /** @throws {JobFailure} when it cannot be kept: nothing has been changed yet */
    begin(head: JournalHead, clients: readonly JournalClient[]): void {
      write(head.id, 'clients', clients);
      write(head.id, 'head', head);
      if (store.read(NO_PANEL, part(head.id, 'head')) === null) throw new JobFailure('journalNotKept');
    },
    note: (head: JournalHead): void => write(head.id, 'head', head),
    clients: (id: string): JournalClient[] =>
      (store.read(NO_PANEL, part(id, 'clients')) as JournalClient[] | null) ?? [],
    writeFinals: (id: string, finals: readonly FinalCounters[]): void => write(id, 'finals', finals),
    finals: (id: string): FinalCounters[] | null => store.read(NO_PANEL, part(id, 'finals')) as FinalCounters[] | null,
    heads: (): JournalHead[] =>
      store
        .parts(NO_PANEL, PREFIX)
        .filter((name) => name.endsWith(' head'))
        .flatMap((name) => (store.read(NO_PANEL, name) as JournalHead | null) ?? []),
    /** In place of everything else that was kept of it. */
    conclude({ id, fromId, toId, mode, startedAtMs }: JournalHead, outcome: TransferOutcome['outcome']): void {
      const told: TransferOutcome = { id, fromId, toId, mode, startedAtMs, outcome };
      store.replace(NO_PANEL, `${PREFIX}${id} `, new Map([[part(id, 'outcome'), told]]));
    },
    outcomes: (): TransferOutcome[] =>
      store
        .parts(NO_PANEL, PREFIX)
        .filter((name) => name.endsWith(' outcome'))
        .flatMap((name) => (store.read(NO_PANEL, name) as TransferOutcome | null) ?? []),
    end: (id: string): void => store.replace(NO_PANEL, `${PREFIX}${id} `, new Map()),
  };
}
export type TransferJournal = ReturnType<typeof createTransferJournal>;
