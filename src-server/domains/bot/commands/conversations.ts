import type { ClientPageQuery } from '../../clients/list/contract.ts';
import type { Plan } from '../../plans/contract.ts';

/** A client that is being made. */
export interface ClientDraft {
  email: string;
  /** Says quota and term; null = these are asked for. */
  plan: Plan | null;
  inboundIds: Set<number>;
  /** 0 = unlimited. */
  quotaBytes: number;
  /** 0 = no end. */
  days: number;
}

/** What the next text of a chat answers. */
export type Conversation =
  | { kind: 'search' }
  /** What was looked for, while pages of it are turned. */
  | { kind: 'found'; text: string }
  /** Clients of a list, by id, that are ticked to be changed together. */
  | { kind: 'many'; query: Partial<ClientPageQuery>; page: number; chosen: ReadonlySet<number> }
  | { kind: 'quota' | 'expiry'; clientId: number }
  | { kind: 'add'; step: 'email' | 'plan' | 'inbounds' | 'quota' | 'expiry' | 'confirm'; draft: ClientDraft };

const LIFE_MS = 3_600_000;
/** Only admins have conversations. */
const MOST = 1_000;

/** One conversation for each chat: two admins never write into one draft. It ends after an hour. */
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
      if (open.size > MOST && oldest !== undefined) open.delete(oldest);
    },
    end: (chatId: number): void => void open.delete(chatId),
  };
}
export type Conversations = ReturnType<typeof createConversations>;
