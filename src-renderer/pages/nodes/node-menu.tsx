import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Node } from '#contract/nodes';
import type { NodeActions } from './use-node-actions.ts';

interface NodeMenuProps {
  node: Node;
  actions: NodeActions;
  onOpen: () => void;
  onEdit: () => void;
}

/** Everything that can be done with one node. */
export function NodeMenu({ node, actions, onOpen, onEdit }: NodeMenuProps) {
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
        <Menu.Item disabled={!node.enable} onClick={() => void actions.probe(node)}>
          {t('probe.action')}
        </Menu.Item>
        <Menu.Item component={Link} disabled={!node.enable} to={`/panel/nodes/${node.id}/drift`}>
          {t('drift.open')}
        </Menu.Item>
        <Menu.Item component={Link} to={`/panel/inbounds/new?node=${node.id}`}>
          {t('addInbound')}
        </Menu.Item>
        <Menu.Item
          component={Link}
          disabled={!node.enable || node.status !== 'online'}
          to={`/panel/nodes/versions?what=panel&ids=${node.id}`}
        >
          {t('fleet.update')}
        </Menu.Item>
        <Menu.Item component={Link} to={`/panel/nodes?enrol=node:${node.id}`}>
          {t('enrol.again')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item c="var(--mantine-color-error)" onClick={() => void actions.remove(node)}>
          {t('remove.action')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
