import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { getClient, setExternalLinks, type ExternalLink } from '#contract/clients';
import { keys } from '../../../api/keys.ts';
import { useCall } from '../../../api/transport-context.tsx';
import { useChange } from '../../../api/use-change.ts';
import { changedLinks, type LinkChange } from './changed-links.ts';

/**
 * Changes one external link of a client: the server takes whole lists, so the newest one is read first. A link that was
 * taken away meanwhile is not brought back: that fails, and the list is fetched again.
 */
export function useExternalLinks(email: string) {
  const { t } = useTranslation('clientTools');
  const call = useCall();
  const cache = useQueryClient();
  const { mutateAsync: save } = useChange(setExternalLinks, [keys.clients]);
  const change = useMutation({
    mutationFn: async (wanted: LinkChange): Promise<void> => {
      const params = { email };
      const { externalLinks } = await call(getClient, { params });
      const next = changedLinks(externalLinks, wanted);
      if (next === null) {
        void cache.invalidateQueries({ queryKey: keys.clients });
        throw new Error(t('external.gone'));
      }
      await save({ params, body: { externalLinks: next.map(plain) } });
    },
  });
  return { change };
}

const plain = ({ kind, value, remark }: ExternalLink): ExternalLink => ({ kind, value, remark });
