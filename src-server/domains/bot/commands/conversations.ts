import type { ClientPageQuery } from '../../clients/list/contract.ts';
import type { Plan } from '../../plans/contract.ts';

/** A client that is being created. */
export interface ClientDraft {
  email: string;
  /** Sets quota and term; null = ask for them. */
  plan: Plan | null;
  inboundIds: Set<number>;
  /** Page of the plans or inbounds on screen. */
  page: number;
  /** 0 = unlimited. */
  quotaBytes: number;
  /** 0 = no expiry. */
  days: number;
}

/** The question that the next text in a chat answers. */
export type Conversation =
  | { kind: 'search' }
  /** Search text, kept while its pages are turned. */
  | { kind: 'found'; text: string }
  /** Ids of the clients ticked in a list, to be changed together. */
  | { kind: 'many'; query: Partial<ClientPageQuery>; page: number; chosen: ReadonlySet<number> }
  | { kind: 'quota' | 'expiry'; clientId: number }
  | { kind: 'add'; step: 'email' | 'plan' | 'inbounds' | 'quota' | 'expiry' | 'confirm'; draft: ClientDraft };

const LIFE_MS = 3_600_000;
/** Only admins have conversations. */
const MAX_OPEN = 1_000;

/** One conversation per chat: two admins never share a draft. It ends after an hour. */
export function createConversations(clock: () => number) {
  const open = new Map<number, { conversation: Conversation; endsAtMs: number }>();
  return {
    of(chatId: number): Conversation | null {
      const found = open.get(chatId);
      return found !== undefined && found.endsAtMs > clock() ? found.conversation : null;
    },
    begin(chatId: number, conversation: Conversation): void {
      open.delete(chatId);
      open.set(chatId, { conversation, endsAtMs: clock() + LIFE_MS });
      const [oldest] = open.keys();
      if (open.size > MAX_OPEN && oldest !== undefined) open.delete(oldest);
    },
    end: (chatId: number): void => void open.delete(chatId),
  };
}
export type Conversations = ReturnType<typeof createConversations>;
