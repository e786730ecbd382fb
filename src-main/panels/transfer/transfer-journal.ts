import type { SealedStore } from '../store/sealed-store.ts';
import { JobFailure } from '../jobs/job-failure.ts';

/** Belongs to no panel: an entry that concerns two of them outlives either. */
const NO_PANEL = '';
const PREFIX = 'transfer ';

/** `creating`: undone after an interruption. `switching`: all is created and answers; completed after one. */
export type JournalPhase = 'creating' | 'switching' | 'undoing';

export interface JournalInbound {
  sourceId: number;
  port: number;
  protocol: string;
  remark: string;
  /** Null until the new panel has answered: it may exist all the same. */
  newId: number | null;
}

/** Data to end a transfer in another run of the application. */
export interface JournalHead {
  id: string;
  fromId: string;
  toId: string;
  mode: 'copy' | 'move';
  startedAtMs: number;
  phase: JournalPhase;
  /** Inbounds that the new panel had before. */
  beforeInboundIds: number[];
  /** Those that were started, in order. */
  inbounds: JournalInbound[];
  /** How many clients were sent, or were about to be. */
  clientsBegun: number;
  /** What is switched off in the old panel, and was on. */
  switchOff: { inboundIds: number[]; emails: string[] };
}

/** The result of an interrupted transfer, until the operator has read it. */
export interface TransferResult extends Pick<JournalHead, 'id' | 'fromId' | 'toId' | 'mode' | 'startedAtMs'> {
  outcome: 'undone' | 'finished';
}

/** A client as created in the new panel: recognised by its secrets. */
export interface JournalClient {
  email: string;
  sourceEmail: string;
  uuid: string;
  password: string;
  auth: string;
  subId: string;
  /** Transferred counters. */
  upBytes: number;
  downBytes: number;
}
/** Final counters of a client in the new panel. */
export interface FinalCounters {
  email: string;
  upload: number;
  download: number;
}

/** Transfers under way, in the sealed store. */
export function createTransferJournal(store: SealedStore) {
  const part = (id: string, name: string): string => `${PREFIX}${id} ${name}`;
  const write = (id: string, name: string, value: unknown): void =>
    store.replace(NO_PANEL, part(id, name), new Map([[part(id, name), value]]));
  return {
    /** @throws {JobFailure} when it cannot be stored: nothing has been changed yet */
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
    /** Replaces everything else stored of it. */
    conclude({ id, fromId, toId, mode, startedAtMs }: JournalHead, result: TransferResult['outcome']): void {
      const stored: TransferResult = { id, fromId, toId, mode, startedAtMs, outcome: result };
      store.replace(NO_PANEL, `${PREFIX}${id} `, new Map([[part(id, 'outcome'), stored]]));
    },
    results: (): TransferResult[] =>
      store
        .parts(NO_PANEL, PREFIX)
        .filter((name) => name.endsWith(' outcome'))
        .flatMap((name) => (store.read(NO_PANEL, name) as TransferResult | null) ?? []),
    end: (id: string): void => store.replace(NO_PANEL, `${PREFIX}${id} `, new Map()),
  };
}
export type TransferJournal = ReturnType<typeof createTransferJournal>;
