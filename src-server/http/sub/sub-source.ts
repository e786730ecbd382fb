import type { SubOrigin } from './sub-origin.ts';

export type SubFormat = 'raw' | 'json' | 'yaml';

/** A subscription in one format. */
export interface SubscriptionBody {
  text: string;
  /** Further data for the app's headers. */
  headers: Readonly<Record<string, string>>;
  /** Name of the profile, may be empty. */
  title: string;
  /** To be called once it has been delivered. */
  delivered(): void;
}

/** Lets clients stop e-mails. */
export interface MailSource {
  /** Null = no client has this token. */
  stopOf(token: string): Promise<boolean | null>;
  /** @returns false when no client has this token */
  stop(token: string, isStopped: boolean): Promise<boolean>;
  page(isStopped: boolean, wanted: { language: string; accepted: string }): { html: string; policy: string };
}

/** The source of responses; null = no client has this subId. */
export interface SubscriptionSource {
  /** Formats that an app may get at the address of the raw links instead, best first. */
  formatsOf(agent: string): readonly SubFormat[];
  /** @returns `empty` when this format can express nothing of it. */
  body(subId: string, format: SubFormat, origin: SubOrigin, ownUrl: string): Promise<SubscriptionBody | 'empty' | null>;
  info(subId: string, origin: SubOrigin): Promise<object | null>;
  /** Null = this server lacks the key that recognises their addresses. */
  mail: MailSource | null;
  page(
    subId: string,
    origin: SubOrigin,
    wanted: { language: string; accepted: string; system: string; agent: string; code: string; from: string },
  ): Promise<{ html: string; policy: string } | null>;
}
