import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Node } from '#contract/nodes';
import { useFormat } from '../../i18n/format.ts';
import { CardTable } from '../../ui/layout/card-table.tsx';
import { useCountries } from '../../ui/country/use-countries.ts';
import { shownColumns } from '../../ui/columns/column-choice.ts';
import { useNodeColumns } from './node-columns.ts';
import { NodeMenu, type OpenMenu } from './node-menu.tsx';
import { NodeRow } from './node-row.tsx';
import { treeOf } from './node-tree.ts';
import { useNodeActions } from './use-node-actions.ts';

interface NodeTableProps {
  nodes: readonly Node[];
  onOpen: (id: string) => void;
  onEdit: (id: string) => void;
}

/** Nodes as a tree: the panels behind a node are below it and are read-only. */
export function NodeTable({ nodes, onOpen, onEdit }: NodeTableProps) {
  const { t } = useTranslation(['nodes', 'words']);
  const format = useFormat();
  const actions = useNodeActions();
  const [menu, setMenu] = useState<OpenMenu>({ id: 0, button: null, isOpen: false });
  const countries = useCountries(nodes.map(({ address }) => address).filter((address) => address !== ''));
  const choice = useNodeColumns();
  const columns = shownColumns(choice);
  const tools = {
    t,
    format,
    countries,
    onOpen,
    onToggle: (node: Node, isOn: boolean) => void actions.setEnable(node, isOn),
    onMenu: (id: number, button: HTMLElement) =>
      setMenu((last) => ({ id, button, isOpen: !(last.isOpen && last.id === id) })),
  };
  return (
    <>
      <CardTable
        minWidth={columns.length * 110 + 240}
        density={choice.density}
        columns={(['name', ...columns] as const).map((column) => t(`column.${column}`))}
        actions={t('words:actions')}
      >
        {treeOf(nodes).map(({ node, key, parentName }) => (
          <NodeRow
            key={key}
            node={node}
            parentName={parentName}
            tools={tools}
            columns={columns}
            isMenuOpen={menu.isOpen && parentName === null && menu.id === node.id}
          />
        ))}
      </CardTable>
      <NodeMenu
        menu={menu}
        node={nodes.find(({ id }) => id > 0 && id === menu.id)}
        actions={actions}
        onOpen={onOpen}
        onEdit={onEdit}
        onClose={() => setMenu((last) => ({ ...last, isOpen: false }))}
      />
    </>
  );
}
