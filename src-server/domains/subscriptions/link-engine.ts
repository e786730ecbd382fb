import type { Settings } from '../settings/contract.ts';
import type { LinkEngine } from './link-engine-port.ts';

/** Subscriptions written with the panel's links. */
export function createLinkEngine(settings: () => Settings): LinkEngine {
  return {
    writers: () => [],
    foreign(link, owner, format) {
      const name = nameOf(link) || owner.email;
      return format === 'raw' ? { name, text: link } : { name, reason: 'is given as a link only' };
    },
    document(_format, pieces) {
      const body = pieces.map(({ text }) => `${text}\n`).join('');
      return settings().subEncrypt ? Buffer.from(body).toString('base64') : body;
    },
  };
}

function nameOf(link: string): string {
  const [, fragment = ''] = link.split('#', 2);
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
