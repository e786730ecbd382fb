import type { SubOrigin } from './sub-origin.ts';

export type SubFormat = 'raw' | 'json' | 'yaml';

/** A subscription as one format writes it. */
export interface SubscriptionBody {
  text: string;
  /** What apps are told beside it. */
  headers: Readonly<Record<string, string>>;
  /** Name of the profile, may be empty. */
  title: string;
  /** To be called when it has been handed out. */
  delivered(): void;
}

/** Where a client stops e-mails. */
export interface MailSource {
  /** Null = nobody has this token. */
  stopOf(token: string): Promise<boolean | null>;
  /** @returns false when nobody has this token */
  stop(token: string, isStopped: boolean): Promise<boolean>;
  page(isStopped: boolean, wanted: { asked: string; accepted: string }): { html: string; policy: string };
}

/** What the server answers from; null = no client has this subId. */
export interface SubscriptionSource {
  /** Formats that an app is given at the address of the raw links, before these, best first. */
  formatsOf(agent: string): readonly SubFormat[];
  /** @returns `empty` when there is nothing that this format can say. */
  body(subId: string, format: SubFormat, origin: SubOrigin, ownUrl: string): Promise<SubscriptionBody | 'empty' | null>;
  info(subId: string, origin: SubOrigin): Promise<object | null>;
  /** Null = this server lacks the key with which their addresses are recognised. */
  mail: MailSource | null;
  page(
    subId: string,
    origin: SubOrigin,
    wanted: { asked: string; accepted: string; system: string; agent: string; code: string; from: string },
  ): Promise<{ html: string; policy: string } | null>;
}
