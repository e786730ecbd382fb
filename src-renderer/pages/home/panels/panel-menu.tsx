import { ActionIcon, Button, Group, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { PanelJobs } from '../jobs/panel-jobs.tsx';

export interface PanelVerbs {
  use: (id: string) => void;
  refresh: (id: string) => void;
  group: (id: string) => void;
  move: (id: string, by: -1 | 1) => void;
  /** Whether the panels are shown in the operator's own order. */
  canMove: boolean;
}

/** The actions on a panel. */
export const PanelMenu = memo(function PanelMenu({ id, name, verbs }: { id: string; name: string; verbs: PanelVerbs }) {
  const { t } = useTranslation(['home', 'words']);
  return (
    <Group gap="xs" wrap="nowrap">
      <Button size="xs" variant="default" aria-label={t('openOf', { name })} onClick={() => verbs.use(id)}>
        {t('words:open')}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t('moreOf', { name })}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => verbs.refresh(id)}>{t('refresh')}</Menu.Item>
          <Menu.Item onClick={() => verbs.group(id)}>{t('group.action')}</Menu.Item>
          {verbs.canMove && (
            <>
              <Menu.Item onClick={() => verbs.move(id, -1)}>{t('moveUp')}</Menu.Item>
              <Menu.Item onClick={() => verbs.move(id, 1)}>{t('moveDown')}</Menu.Item>
            </>
          )}
          <PanelJobs id={id} />
          {id !== 'local' && (
            <Menu.Item component={Link} to={`/desktop/connections?edit=${encodeURIComponent(id)}`}>
              {t('edit')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
});
