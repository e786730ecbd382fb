import type { Readable } from 'node:stream';
import type { ClientPage, ClientPageQuery } from '../clients/list/contract.ts';
import type { ClientRecord, ClientTrafficRow } from '../clients/contract.ts';
import type { CountedInbound } from '../inbounds/contract.ts';
import type { Plan } from '../plans/contract.ts';
import type { ServerStatus } from '../server/contract.ts';
import type { Settings } from '../settings/contract.ts';

/** A client as the bot shows it. */
export interface ShownClient {
  record: ClientRecord;
  traffic: ClientTrafficRow;
  inboundIds: number[];
}

/** Result of changing several clients. */
export interface ManyChanged {
  done: number;
  skipped: readonly { email: string; code: string; params: Readonly<Record<string, string | number>> }[];
}

/** A file to be sent to chats. */
export interface BotFile {
  name: string;
  bytes: Buffer;
}

/** A file that may be too large for memory. */
export interface BackupSource {
  name: string;
  size: number;
  body: Readable;
}

/** What the bot needs from the panel: the services behind the API calls, and no way around them. */
export interface BotPanel {
  settings(): Settings;
  status(): ServerStatus;
  hostName(): string;
  onlineCount(): number;
  isOnline(email: string): boolean;
  inbounds(): Promise<CountedInbound[]>;
  /** By name. */
  plans(): Promise<Plan[]>;
  page(query: Partial<ClientPageQuery>): Promise<ClientPage>;
  /** Null when no client has this id any more. */
  clientById(id: number): Promise<ShownClient | null>;
  /** Ids of those of these clients that exist. */
  idsOf(emails: readonly string[]): Promise<Map<string, number>>;
  /** E-mails of those of these clients that exist. */
  emailsOf(ids: readonly number[]): Promise<string[]>;
  /** Ids of the clients with this messaging id. */
  ownedBy(telegramId: number): Promise<number[]>;
  /** Messaging ids of these clients, without those that have none. */
  ownersOf(emails: readonly string[]): Promise<Map<string, number>>;
  /** @throws {DomainError} a refusal of the clients domain */
  add(
    client: { email: string } & ({ totalGB: number; expiryTime: number } | { planId: number }),
    inboundIds: readonly number[],
  ): Promise<void>;
  /** @throws {DomainError} a refusal of the clients domain */
  change(id: number, change: Partial<Pick<ClientRecord, 'totalGB' | 'expiryTime' | 'limitIp' | 'tgId'>>): Promise<void>;
  enable(email: string, isOn: boolean): Promise<void>;
  resetTraffic(email: string): Promise<void>;
  resetAllTraffic(): Promise<void>;
  enableMany(emails: readonly string[], isOn: boolean): Promise<ManyChanged>;
  resetMany(emails: readonly string[]): Promise<ManyChanged>;
  /** Moves expiry and quota. */
  adjustMany(emails: readonly string[], by: { addDays: number; addBytes: number }): Promise<ManyChanged>;
  /** Clients lately blocked for too many addresses, newest first, in the language of the bot. */
  shutOut(): Promise<{ atMs: number; text: string }[]>;
  /** Where the client was seen lately, with times. */
  addressesOf(email: string): Promise<string[]>;
  forgetAddresses(email: string): Promise<void>;
  /** Share links, and the subscription's address; empty while subscriptions are off. */
  linksOf(email: string): Promise<string[]>;
  subscriptionOf(subId: string): string;
  /** @throws {DomainError} `core.*` */
  restartCore(): Promise<void>;
  logTail(lines: number): string;
  /**
   * A fresh copy of the database, including the keys of certificates when there is a passphrase, and the core's config.
   */
  backupFiles(passphrase: string): Promise<BackupSource[]>;
}
