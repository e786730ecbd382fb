import type { ClientSource, LeftOut } from '../source.ts';
import type { Steps } from '../steps.ts';
import type { InboundView, UserList, UserRules } from '../protocols/protocol.ts';

/** Well below a millisecond of work. */
const CLIENTS_PER_STEP = 200;

/**
 * Turns clients into core users in the given order. Of two clients with one e-mail (in any letter case) or one identity
 * the first stays: the core would refuse the whole config, or count one's traffic for the other.
 */
export function* userListSteps(
  inbound: InboundView,
  clients: readonly ClientSource[],
  rules: UserRules,
): Steps<UserList> {
  const result: UserList = { users: [], leftOut: [] };
  const emails = new Set<string>();
  const owners = new Map<string, string>();
  for (const [index, client] of clients.entries()) {
    if (index % CLIENTS_PER_STEP === CLIENTS_PER_STEP - 1) yield;
    const { email } = client;
    const identity = rules.identity(client, inbound);
    const entry = identity === null ? rules.unusable(inbound) : rules.entry(client, inbound);
    const clash = emailProblem(email, emails) ?? ownerProblem(rules, owners.get(identity ?? ''));
    if (clash !== null) result.leftOut.push(leftOutClient(email, inbound.tag, clash));
    else if (typeof entry === 'string') result.leftOut.push(leftOutClient(email, inbound.tag, entry));
    else {
      emails.add(email.toLowerCase());
      owners.set(identity ?? '', email);
      result.users.push({ email, entry });
    }
  }
  return result;
}

function emailProblem(email: string, taken: ReadonlySet<string>): string | null {
  if (email === '') return 'it has no e-mail, so its traffic could not be counted; give it one.';
  if (email.includes('>>>')) return 'its e-mail contains >>>, which breaks the counters; rename it.';
  return taken.has(email.toLowerCase()) ? 'another client of this inbound has the same e-mail; rename one.' : null;
}

function ownerProblem(rules: UserRules, owner: string | undefined): string | null {
  if (owner === undefined) return null;
  return `the core cannot tell its ${rules.credential} from that of ${owner}; give it a new one.`;
}

function leftOutClient(email: string, tag: string, reason: string): LeftOut {
  return { kind: 'client', name: email, reason: `Client left out of ${tag}: ${reason}` };
}
