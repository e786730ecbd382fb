import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Node } from '#contract/nodes';
import type { NodeDeeds } from './use-node-deeds.ts';

interface NodeMenuProps {
  node: Node;
  deeds: NodeDeeds;
  onOpen: () => void;
  onEdit: () => void;
  onUpdate: () => void;
}

/** Everything that can be done with one node. */
export function NodeMenu({ node, deeds, onOpen, onEdit, onUpdate }: NodeMenuProps) {
  const { t } = useTranslation('nodes');
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={36} aria-label={t('menu', { name: node.name })}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onOpen}>{t('details')}</Menu.Item>
        <Menu.Item onClick={onEdit}>{t('edit')}</Menu.Item>
        <Menu.Item disabled={!node.enable} onClick={() => void deeds.probe(node)}>
          {t('probe.deed')}
        </Menu.Item>
        <Menu.Item component={Link} to={`/panel/inbounds/new?node=${node.id}`}>
          {t('addInbound')}
        </Menu.Item>
        <Menu.Item disabled={!node.enable || node.status !== 'online'} onClick={onUpdate}>
          {t('update.deed')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item c="var(--mantine-color-error)" onClick={() => void deeds.remove(node)}>
          {t('remove.deed')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
