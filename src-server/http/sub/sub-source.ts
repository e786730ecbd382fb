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

/** What the server answers from; null = no client has this subId. */
export interface SubscriptionSource {
  /** Formats that an app is given at the address of the raw links, before these, best first. */
  formatsOf(agent: string): readonly SubFormat[];
  /** @returns `empty` when there is nothing that this format can say. */
  body(subId: string, format: SubFormat, origin: SubOrigin, ownUrl: string): Promise<SubscriptionBody | 'empty' | null>;
  info(subId: string, origin: SubOrigin): Promise<object | null>;
  /** The page on which a client stops e-mails; null = nobody has this token. */
  mailPage(
    token: string,
    wanted: { asked: string; accepted: string },
  ): Promise<{ html: string; policy: string } | null>;
  /** @returns false when nobody has this token */
  stopMail(token: string, isStopped: boolean): Promise<boolean>;
  page(
    subId: string,
    origin: SubOrigin,
    wanted: { asked: string; accepted: string; system: string; agent: string; code: string; from: string },
  ): Promise<{ html: string; policy: string } | null>;
}
