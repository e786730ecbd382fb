import type { EventKind } from '../contract.ts';

/** Texts of a kind: for one event, and for a summary. Lines whose facts are missing are left out. */
export interface EventWords {
  title: string;
  lines: readonly string[];
  /** Title of a summary of `{count}` events; its line names the first of them. */
  many: string;
}

export interface LanguageWords {
  kinds: Readonly<Record<EventKind, EventWords>>;
  /** For a successful sign-in; the kind's own texts are for a refused one. */
  loginDone: EventWords;
  andMore: string;
  /** Text of a test message. */
  testTitle: string;
  testBody: string;
  /** Last line of a message to a client. */
  clientFooter: string;
  /** The message with a client's link, and the text below the link. */
  linkTitle: string;
  linkHint: string;
  /** Precedes the address at which a client stops these messages. */
  stopMails: string;
}

export const en: LanguageWords = {
  kinds: {
    'core.crash': {
      title: 'The proxy core failed',
      lines: ['Error: {error}'],
      many: 'Crashes of the proxy core: {count}',
    },
    'cpu.high': { title: 'The processor is at {percent}', lines: [], many: 'The processor is busy' },
    'login.attempt': {
      title: 'A sign-in was refused',
      lines: ['User name: {username}', 'Address: {address}', 'Reason: {reason}'],
      many: 'Refused sign-ins: {count}',
    },
    'node.down': {
      title: 'Node {name} is not reached',
      lines: ['Error: {error}'],
      many: 'Nodes that are not reached: {count}',
    },
    'node.up': {
      title: 'Node {name} is reached again',
      lines: ['Delay: {latencyMs} ms'],
      many: 'Nodes that are reached again: {count}',
    },
    'outbound.down': {
      title: 'Outbound {tag} does not answer',
      lines: ['Error: {error}'],
      many: 'Outbounds that do not answer: {count}',
    },
    'outbound.up': {
      title: 'Outbound {tag} answers again',
      lines: ['Delay: {delayMs} ms'],
      many: 'Outbounds that answer again: {count}',
    },
    'client.expiring': {
      title: '{email} expires soon',
      lines: ['Valid until {expiresAtMs}'],
      many: 'Clients that expire soon: {count}',
    },
    'client.quota': {
      title: '{email} has used {percent} of the data',
      lines: ['Used: {usedBytes} of {quotaBytes}'],
      many: 'Clients near the end of their data: {count}',
    },
    'client.depleted': {
      title: '{email} has used up the data',
      lines: ['Data: {quotaBytes}'],
      many: 'Clients that have used up their data: {count}',
    },
    'client.expired': {
      title: '{email} has expired',
      lines: ['Valid until {expiresAtMs}'],
      many: 'Clients that have expired: {count}',
    },
    'client.addresses': {
      title: '{email} uses more addresses than allowed',
      lines: ['Allowed: {limit}', 'Shut out: {address}'],
      many: 'Clients with more addresses than allowed: {count}',
    },
    'client.link': {
      title: '{email} is sent the subscription link',
      lines: [],
      many: 'Clients that are sent their link: {count}',
    },
    'traffic.quarantined': {
      title: 'A reading of traffic is too large to be true',
      lines: ['Of: {subject}', 'Sent: {upBytes}', 'Received: {downBytes}'],
      many: 'Readings of traffic that are too large to be true: {count}',
    },
    'directory.failed': {
      title: 'The directory cannot be followed',
      lines: ['Error: {error}'],
      many: 'Failed runs of the directory: {count}',
    },
    'directory.held': {
      title: 'A run of the directory waits for you',
      lines: ['Would be disabled: {disable}', 'Would be detached: {detach}', 'Would be created: {create}'],
      many: 'Runs of the directory that wait: {count}',
    },
    'directory.resumed': {
      title: 'The directory is followed again',
      lines: [],
      many: 'Runs of the directory that go on: {count}',
    },
    'backup.failed': { title: 'The backup failed', lines: ['Error: {error}'], many: 'Failed backups: {count}' },
    'certificate.failed': {
      title: 'Certificate {name} could not be renewed',
      lines: ['Error: {error}', 'Valid until {expiresAtMs}', 'Next try: {nextTryAtMs}'],
      many: 'Certificates that could not be renewed: {count}',
    },
    'certificate.expiring': {
      title: 'A certificate ends soon: {name}',
      lines: ['Valid until {expiresAtMs}', 'Days left: {days}'],
      many: 'Certificates that end soon: {count}',
    },
    'update.core': {
      title: 'Version {version} of the proxy core is there',
      lines: ['Installed: {installed}'],
      many: 'New versions of the proxy core: {count}',
    },
    'update.panel': {
      title: 'Version {version} of the panel is there',
      lines: ['Installed: {installed}'],
      many: 'New versions of the panel: {count}',
    },
  },
  loginDone: { title: '{username} signed in', lines: ['Address: {address}'], many: 'Sign-ins: {count}' },
  andMore: 'and {count} more',
  testTitle: 'Test message',
  testBody: 'Messages of the panel arrive here.',
  clientFooter: 'You receive this because your address is the name of your access.',
  linkTitle: 'Your subscription link',
  linkHint: 'Open it in an app or a browser, and keep it to yourself: anyone who has it uses your data.',
  stopMails: 'Receive no more of these messages:',
};
