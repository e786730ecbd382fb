import { Menu } from '@mantine/core';
import { useImperativeHandle, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Node } from '#contract/nodes';
import type { NodeActions } from './use-node-actions.ts';

/** The row whose menu is open, or was last: the menu stays in place while it fades. */
export interface OpenMenu {
  /** 0 = none yet. */
  id: number;
  button: HTMLElement | null;
  isOpen: boolean;
}

interface NodeMenuProps {
  menu: OpenMenu;
  /** Undefined when it is no longer in the list. */
  node: Node | undefined;
  actions: NodeActions;
  onOpen: (id: string) => void;
  onEdit: (id: string) => void;
  onClose: () => void;
}

/** Id of a row's button; the kit derives its menu's id from it. */
export const menuIdOf = (id: number): string => `node-menu-${id}`;

/** All actions on one node: one menu for all rows, placed at the button that opened it. */
export function NodeMenu({ menu, node, onClose, ...verbs }: NodeMenuProps) {
  return (
    <Menu
      id={menuIdOf(menu.id)}
      opened={menu.isOpen && node !== undefined}
      onChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      position="bottom-end"
      withinPortal
    >
      <Menu.Target>
        <ButtonOfRow button={menu.button} />
      </Menu.Target>
      <Menu.Dropdown>{node !== undefined && <Verbs node={node} {...verbs} />}</Menu.Dropdown>
    </Menu>
  );
}

/** Stands in for the button that the row rendered. */
function ButtonOfRow({ ref, button }: { ref?: Ref<HTMLElement | null>; button: HTMLElement | null }) {
  useImperativeHandle<HTMLElement | null, HTMLElement | null>(ref, () => button, [button]);
  return null;
}

function Verbs({
  node,
  actions,
  onOpen,
  onEdit,
}: Pick<NodeMenuProps, 'actions' | 'onOpen' | 'onEdit'> & { node: Node }) {
  const { t } = useTranslation('nodes');
  const id = String(node.id);
  return (
    <>
      <Menu.Item onClick={() => onOpen(id)}>{t('details')}</Menu.Item>
      <Menu.Item onClick={() => onEdit(id)}>{t('edit')}</Menu.Item>
      <Menu.Item disabled={!node.enable} onClick={() => void actions.probe(node)}>
        {t('probe.action')}
      </Menu.Item>
      <Menu.Item component={Link} disabled={!node.enable} to={`/panel/nodes/${id}/drift`}>
        {t('drift.open')}
      </Menu.Item>
      <Menu.Item component={Link} to={`/panel/inbounds/new?node=${id}`}>
        {t('addInbound')}
      </Menu.Item>
      <Menu.Item
        component={Link}
        disabled={!node.enable || node.status !== 'online'}
        to={`/panel/nodes/versions?what=panel&ids=${id}`}
      >
        {t('fleet.update')}
      </Menu.Item>
      <Menu.Item component={Link} to={`/panel/nodes?enrol=node:${id}`}>
        {t('enrol.again')}
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item c="var(--mantine-color-error)" onClick={() => void actions.remove(node)}>
        {t('remove.action')}
      </Menu.Item>
    </>
  );
}
