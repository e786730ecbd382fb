import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useServers } from '../../use-servers.ts';
import { placed, useEditing, useIssueAt, useValueAt } from '../parts/draft-context.tsx';
import { ORDER } from '../parts/fields.tsx';

/** The option for whichever panel is active. */
const ACTIVE = '';

/** Which of several servers on one database runs the inbound. Hidden for a single server, and for inbounds of nodes. */
export function ServerField() {
  const { t } = useTranslation('inboundEditor');
  const { edit } = useEditing();
  const nodeId = useValueAt('nodeId');
  const serverId = useValueAt('serverId');
  const issue = useIssueAt('serverId');
  const servers = useServers();
  const chosen = typeof serverId === 'string' ? serverId : ACTIVE;
  const isOnNode = typeof nodeId === 'number' && nodeId > 0;
  if (isOnNode || (servers.size < 2 && chosen === ACTIVE)) return null;
  const named = [...servers.values()].map(({ id, name, state }) => ({
    value: id,
    label: state === 'away' ? t('serverAway', { name }) : name,
  }));
  if (chosen !== ACTIVE && !servers.has(chosen))
    named.push({ value: chosen, label: t('serverAway', { name: chosen }) });
  return (
    <Select
      label={t('field.server')}
      wrapperProps={placed('serverId')}
      description={t('hint.server')}
      inputWrapperOrder={ORDER}
      data={[{ value: ACTIVE, label: t('activeServer') }, ...named]}
      value={chosen}
      allowDeselect={false}
      error={issue}
      onChange={(value) => edit('serverId', value === ACTIVE ? null : value)}
    />
  );
}
