import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { getClient } from '#contract/clients';
import { getEffectiveDefaults } from '#contract/settings';
import { linksOfClient } from '#contract/subscriptions';
import { keys } from '../../../api/keys.ts';
import { useCall } from '../../../api/transport-context.tsx';
import { linkName, subscriptionUrl } from '../drawer/link-name.ts';

/** Something a client's app can take, with its name. */
export interface ClientCode {
  name: string;
  text: string;
}

/** What `useClientCodes` and "copy link" ask for, the subscription first where there is one. */
export function useReadCodes(): (email: string, signal?: AbortSignal) => Promise<ClientCode[]> {
  const { t } = useTranslation('words');
  const call = useCall();
  return async (email, signal) => {
    const params = { email };
    const [{ client }, { subEnable, subURI }, links] = await Promise.all([
      call(getClient, { params }, signal),
      call(getEffectiveDefaults, {}, signal),
      call(linksOfClient, { params }, signal),
    ]);
    const hasSubscription = subEnable && client.subId !== '' && subURI !== '';
    return [
      ...(hasSubscription ? [{ name: t('subscription'), text: subscriptionUrl(subURI, client.subId) }] : []),
      ...links.map((text) => ({ name: linkName(text), text })),
    ];
  };
}

export function useClientCodes(email: string) {
  const read = useReadCodes();
  return useQuery({
    queryKey: [...keys.clients, 'codes', email],
    queryFn: ({ signal }) => read(email, signal),
  });
}
