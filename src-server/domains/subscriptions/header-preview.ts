import type { Store } from '../../store/open-store.ts';
import type { Settings } from '../settings/contract.ts';
import { subscriptionPrefixes, subscriptionUrl } from '../settings/present.ts';
import type { HeaderDraft } from './contract.ts';
import { totalsOf } from './present.ts';
import { subscribersAfter } from './repository.ts';
import { responseHeaders } from './response-headers.ts';

/** Sample client of a preview while there is no client. */
const SAMPLE = { email: 'sample', uuid: '00000000-0000-4000-8000-000000000000', subId: 'sample', tgId: 0 };

/** Shows the headers of the first client's subscription with these settings instead of the stored ones. */
export function createHeaderPreview(deps: {
  store: Store;
  settings: { current: () => Settings };
  clock: () => number;
}) {
  const { store, settings, clock } = deps;
  return async (draft: HeaderDraft, host: string): Promise<{ email: string; headers: Record<string, string> }> => {
    const [first] = await subscribersAfter(store.turnReader, 0, 1);
    const given = Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined));
    const current: Settings = { ...settings.current(), ...given };
    const identity = first ?? SAMPLE;
    const ownUrl = subscriptionUrl(subscriptionPrefixes(current, host).raw, identity.subId);
    const usage = totalsOf(first === undefined ? [] : [first], clock());
    return { email: identity.email, headers: responseHeaders(usage, identity, current, ownUrl) };
  };
}
