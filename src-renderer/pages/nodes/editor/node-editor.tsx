import { Drawer } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { getNode } from '#contract/nodes';
import { keys } from '../../../api/keys.ts';
import { useCall } from '../../../api/transport-context.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { NodeEditorForm } from './node-editor-form.tsx';
import { firstForm, toForm } from './node-form.ts';

interface NodeEditorProps {
  /** `5` = a node, `new` = another one, `new:name=…` = one that another page hands over. */
  what: string;
  onClose: () => void;
}

/** Opens what is to be edited, fresh from the server: the form replaces the whole row. */
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
  // The form brings its own drawer, since only it knows whether closing would lose something.
  if (stored.data === undefined)
    return (
      <Drawer opened onClose={onClose} title={t(isNew ? 'add' : 'edit')}>
        <QueryView query={stored}>{() => null}</QueryView>
      </Drawer>
    );
  const node = stored.data;
  return <NodeEditorForm stored={node} initial={node === null ? firstForm(what) : toForm(node)} onClose={onClose} />;
}
