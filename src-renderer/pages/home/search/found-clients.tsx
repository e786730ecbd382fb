import { Combobox, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { PanelHit } from '../../../../src-main/bridge/panels.ts';

/** Value of the last option: not something that was found, but all clients that were. */
export const SEVERAL = 'several';

const emailsOf = (hits: readonly PanelHit[]): string[] => [
  ...new Set(hits.flatMap(({ kind, ref }) => (kind === 'client' ? [ref] : []))),
];

/** The page of verbs for the clients that were found, on the panels that have them. */
export function severalPath(hits: readonly PanelHit[]): string {
  const panels = new Set(hits.flatMap(({ kind, panelId }) => (kind === 'client' ? [panelId] : [])));
  const query = new URLSearchParams({ emails: emailsOf(hits).join(','), panels: [...panels].join(',') });
  return `/desktop/several?${query.toString()}`;
}

/** From clients that were found to a verb on all of them; nothing when no client was. */
export function FoundClients({ hits }: { hits: readonly PanelHit[] }) {
  const { t } = useTranslation('works');
  const emails = emailsOf(hits);
  if (emails.length === 0) return null;
  return (
    <Combobox.Option value={SEVERAL}>
      <Text size="sm">{t('menu.found', { count: emails.length })}</Text>
    </Combobox.Option>
  );
}
