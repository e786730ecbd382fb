import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EVENT_KINDS, listSubscribers, type EventKind, type Subscriber } from '#contract/events';
import { updateSettings } from '#contract/settings';
import { saveWebhook } from '#contract/webhooks';
import { keys } from '../../../api/keys.ts';
import { useRead } from '../../../api/use-read.ts';
import { useChange } from '../../../api/use-change.ts';
import { announceFailure } from '../../../ui/notices/announce.ts';

/** The subscribers and their kinds of event. */
export function useSubscribers() {
  return useRead(listSubscribers, {}, [...keys.events, 'subscribers']);
}

/** The page's name for a subscriber. */
export function useSubscriberName(): (subscriber: Pick<Subscriber, 'name' | 'label'>) => string {
  const { t } = useTranslation(['notifications', 'words']);
  const own: Readonly<Record<string, string>> = {
    panel: t('words:thisPanel'),
    email: t('grid.email'),
    'email:clients': t('grid.emailClients'),
    bot: t('grid.bot'),
    desktop: t('grid.desktop'),
  };
  return ({ name, label }) => label || (own[name] ?? name);
}

/** Choices on their way to the server: shown until the last of them is answered. */
export function useChoices() {
  const [pending, setPending] = useState<Readonly<Record<string, { kinds: EventKind[]; changes: number }>>>({});
  const stale = [keys.events, keys.settings];
  // One after another: each sends the whole list.
  const settings = useChange(updateSettings, stale, { scope: 'subscribers' });
  const webhook = useChange(saveWebhook, stale, { scope: 'subscribers' });
  const kindsOf = ({ name, kinds }: Subscriber): readonly EventKind[] => pending[name]?.kinds ?? kinds;

  function choose(subscriber: Subscriber, kind: EventKind, isChosen: boolean): void {
    const { name, setting } = subscriber;
    const before = kindsOf(subscriber);
    // In the catalogue's order, as the server returns them: so what is stored does not depend on a refetch meanwhile.
    const kinds = EVENT_KINDS.filter((one) => (one === kind ? isChosen : before.includes(one)));
    setPending((others) => ({ ...others, [name]: { kinds, changes: (others[name]?.changes ?? 0) + 1 } }));
    const done = (): void =>
      setPending(({ [name]: mine, ...others }) =>
        mine === undefined || mine.changes <= 1
          ? others
          : { ...others, [name]: { ...mine, changes: mine.changes - 1 } },
      );
    const saved =
      setting === ''
        ? webhook.mutateAsync({ body: { id: Number(name.split(':')[1]), kinds } })
        : settings.mutateAsync({ body: { [setting]: kinds.join(',') } });
    (saved as Promise<unknown>).catch(announceFailure).finally(done);
  }

  return { kindsOf, choose };
}
