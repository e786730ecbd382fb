import { Menu } from '@mantine/core';
import { RowMenu } from '../../ui/row-menu.tsx';
import { useTranslation } from 'react-i18next';
import { deletePlan, type Plan } from '#contract/plans';
import { keys } from '../../api/keys.ts';
import { useChange } from '../../api/use-change.ts';
import { confirmAction } from '../../ui/confirm.tsx';
import { announceDone, announceFailure } from '../../ui/notices/announce.ts';

interface PlanMenuProps {
  plan: Plan;
  onEdit: () => void;
  onBring: () => void;
}

export function PlanMenu({ plan: { id, name, clientCount }, onEdit, onBring }: PlanMenuProps) {
  const { t } = useTranslation(['plans', 'words']);
  const remove = useChange(deletePlan, [keys.plans, keys.clients]);
  const handleDelete = async (): Promise<void> => {
    const isSure = await confirmAction({
      title: t('deleteTitle', { name }),
      text: t('deleteText', { count: clientCount }),
      action: t('delete'),
    });
    if (isSure)
      remove.mutate(
        { params: { id: String(id) } },
        { onSuccess: () => announceDone(t('deleted', { name })), onError: announceFailure },
      );
  };
  return (
    <RowMenu label={t('menu', { name })}>
      <Menu.Item onClick={onEdit}>{t('words:edit')}</Menu.Item>
      {clientCount > 0 && <Menu.Item onClick={onBring}>{t('bring')}</Menu.Item>}
      <Menu.Item c="var(--mantine-color-error)" onClick={() => void handleDelete()}>
        {t('delete')}
      </Menu.Item>
    </RowMenu>
  );
}
