import type { ClientSource, LeftOut } from './source.ts';
import type { InboundView, UserList, UserRules } from './protocols/protocol.ts';

/**
 * Turns clients into core users in the given order. Of two clients with one e-mail (whatever the case) or one identity
 * the first stays: the core would refuse the whole config, or count the traffic of one for the other.
 */
export function userList(inbound: InboundView, clients: readonly ClientSource[], rules: UserRules): UserList {
  const result: UserList = { users: [], leftOut: [] };
  const emails = new Set<string>();
  const owners = new Map<string, string>();
  const refuse = (client: ClientSource, reason: string): void => {
    result.leftOut.push(leftOutClient(client.email, inbound.tag, reason));
  };
  for (const client of clients) {
    const { email } = client;
    const key = email.toLowerCase();
    if (email === '') refuse(client, 'it has no e-mail, so its traffic could not be counted; give it one.');
    else if (email.includes('>>>')) refuse(client, 'its e-mail contains >>>, which breaks the counters; rename it.');
    else if (emails.has(key)) refuse(client, 'another client of this inbound has the same e-mail; rename one.');
    else {
      const entry = rules.entry(client, inbound);
      const identity = typeof entry === 'string' ? '' : rules.identity(client);
      const owner = owners.get(identity);
      if (typeof entry === 'string') refuse(client, entry);
      else if (owner !== undefined) {
        refuse(client, `the core cannot tell its ${rules.credential} from that of ${owner}; give it a new one.`);
      } else {
        emails.add(key);
        owners.set(identity, email);
        result.users.push({ email, entry: { email, ...entry } });
      }
    }
  }
  return result;
}

function leftOutClient(email: string, tag: string, reason: string): LeftOut {
  return { kind: 'client', name: email, reason: `Client left out of ${tag}: ${reason}` };
}
