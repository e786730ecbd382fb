import { Drawer } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { getNode } from '#contract/nodes';
import { keys } from '../../../api/keys.ts';
import { useCall } from '../../../api/transport-context.tsx';
import { QueryView } from '../../../ui/query-view/query-view.tsx';
import { NodeEditorForm } from './node-editor-form.tsx';
import { firstForm, toForm } from './node-form.ts';

interface NodeEditorProps {
  /** `5` = a node, `new` = a new one, `new:name=…` = a new one prefilled by another page. */
  what: string;
  onClose: () => void;
}

/** Loads the node to edit from the server first: the form replaces the whole row. */
export function NodeEditor({ what, onClose }: NodeEditorProps) {
  const { t } = useTranslation('nodes');
  const call = useCall();
  const isNew = what.startsWith('new');
  const stored = useQuery({
    queryKey: [...keys.nodes, 'edit', what],
    queryFn: ({ signal }) => (isNew ? null : call(getNode, { params: { id: what } }, signal)),
    gcTime: 0,
    staleTime: Infinity,
  });
  // The form renders its own drawer, since only it knows whether closing would lose something.
  if (stored.data === undefined)
    return (
      <Drawer opened onClose={onClose} title={t(isNew ? 'add' : 'edit')}>
        <QueryView query={stored}>{() => null}</QueryView>
      </Drawer>
    );
  const node = stored.data;
  return (
    <NodeEditorForm
      stored={node}
      readAgain={async () => (await stored.refetch()).data}
      initial={node === null ? firstForm(what) : toForm(node)}
      onClose={onClose}
    />
  );
}
