import { Menu } from '@mantine/core';
import { RowMenu } from '../../ui/row-menu.tsx';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { deleteGroup, groupEmails, resetGroupTraffic, type Group } from '#contract/groups';
import { keys } from '../../api/keys.ts';
import { useCall } from '../../api/transport-context.tsx';
import { useChange } from '../../api/use-change.ts';
import { announceDone, announceFailure } from '../../ui/notices/announce.ts';
import { confirmAction } from '../../ui/confirm.tsx';
import { useActions, type DialogAction } from '../clients/actions/action-store.ts';
import { useSwitchClients } from '../clients/actions/use-switch-clients.ts';

interface GroupMenuProps {
  group: Group;
  onRename: () => void;
  onMembers: () => void;
}

/** Actions on a group, and on all of its members at once. */
export function GroupMenu({ group, onRename, onMembers }: GroupMenuProps) {
  const { t } = useTranslation(['groups', 'words', 'shell', 'clients', 'clientTools', 'plans']);
  const call = useCall();
  const remove = useChange(deleteGroup, [keys.groups, keys.clients]);
  const reset = useChange(resetGroupTraffic, [keys.groups]);
  const openDialog = useActions((state) => state.openDialog);
  const { enable } = useSwitchClients();
  const { name, clientCount } = group;
  const handleReset = (): void =>
    reset.mutate(
      { body: { name } },
      { onSuccess: () => announceDone(t('resetDone', { name })), onError: announceFailure },
    );
  const handleDelete = async (): Promise<void> => {
    const isSure = await confirmAction({
      title: t('deleteTitle', { name }),
      text: t('deleteText'),
      action: t('delete'),
    });
    if (isSure)
      remove.mutate(
        { body: { name } },
        { onSuccess: () => announceDone(t('plans:groupDeleted', { name })), onError: announceFailure },
      );
  };
  const withMembers = (action: DialogAction | 'enable') => () =>
    void call(groupEmails, { params: { name } }).then(
      (emails) => (action === 'enable' ? enable(emails) : openDialog(action, emails)),
      announceFailure,
    );
  return (
    <RowMenu label={t('words:actionsFor', { name })}>
      <Menu.Item onClick={onRename}>{t('rename')}</Menu.Item>
      <Menu.Item onClick={onMembers}>{t('pick.open')}</Menu.Item>
      <Menu.Item component={Link} to={`/panel/traffic?subject=group&name=${encodeURIComponent(name)}`}>
        {t('shell:nav.traffic')}
      </Menu.Item>
      <Menu.Item onClick={handleReset}>{t('reset')}</Menu.Item>
      <Menu.Item c="var(--mantine-color-error)" onClick={() => void handleDelete()}>
        {t('delete')}
      </Menu.Item>
      {clientCount > 0 && (
        <>
          <Menu.Divider />
          <Menu.Label>{t('all', { count: clientCount })}</Menu.Label>
          <Menu.Item onClick={withMembers('adjust')}>{t('clients:adjust.action')}</Menu.Item>
          <Menu.Item onClick={withMembers('enable')}>{t('words:enable')}</Menu.Item>
          <Menu.Item onClick={withMembers('disable')}>{t('clients:bar.disable')}</Menu.Item>
          <Menu.Item onClick={withMembers('reset')}>{t('words:resetTraffic')}</Menu.Item>
          <Menu.Item onClick={withMembers('attach')}>{t('clientTools:placing.attach.action')}</Menu.Item>
          <Menu.Item onClick={withMembers('detach')}>{t('clientTools:placing.detach.action')}</Menu.Item>
          <Menu.Item onClick={withMembers('group')}>{t('clientTools:group.menu')}</Menu.Item>
          <Menu.Item c="var(--mantine-color-error)" onClick={withMembers('delete')}>
            {t('deleteMembers')}
          </Menu.Item>
        </>
      )}
    </RowMenu>
  );
}
