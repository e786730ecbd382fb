import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ColumnPicker } from '../../ui/columns/column-picker.tsx';
import { CsvButton } from '../../ui/csv/csv-button.tsx';
import { nodesCsv } from './nodes-csv.ts';
import { EmptyNodes } from './empty-nodes.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { QueryView } from '../../ui/query-view/query-view.tsx';
import { useDialogParam } from '../../ui/address/use-dialog-param.ts';
import { NodeDrawer } from './drawer/node-drawer.tsx';
import { NodeEditor } from './editor/node-editor.tsx';
import { EnrolmentDrawer } from './enrolment/enrolment-drawer.tsx';
import { useNodeColumns } from './node-columns.ts';
import { NodeTable } from './node-table.tsx';
import { TrustDialog } from './editor/trust-dialog.tsx';
import { useNodes } from './use-nodes.ts';

/** The stream brings the list every five seconds; connections without one have to poll. */
const LOOK_AGAIN_MS = 15_000;

/** Panels that this one manages: their state, and the changes that have not arrived there. */
export function NodesPage() {
  const { t } = useTranslation(['nodes', 'shell', 'words']);
  const nodes = useNodes(LOOK_AGAIN_MS);
  const editor = useDialogParam('node');
  const drawer = useDialogParam('show');
  const trust = useDialogParam('trust');
  const enrol = useDialogParam('enrol');
  const columns = useNodeColumns();
  const isAny = nodes.data !== undefined && nodes.data.length > 0;
  const add = <Button onClick={() => enrol.open('new')}>{t('add')}</Button>;
  return (
    <Page
      title={t('shell:nav.nodes')}
      actions={
        <>
          <Button variant="default" onClick={() => trust.open('ca')}>
            {t('trust.title')}
          </Button>
          {isAny && (
            <>
              <ColumnPicker choice={columns} nameOf={(id) => t(`column.${id}`)} />
              <CsvButton name="nodes" table={() => nodesCsv(nodes.data ?? [])} />
              <Button variant="default" component={Link} to="/panel/nodes/home">
                {t('home')}
              </Button>
              <Button variant="default" component={Link} to="/panel/nodes/versions">
                {t('words:versions')}
              </Button>
              {add}
            </>
          )}
        </>
      }
    >
      <QueryView query={nodes} empty={<EmptyNodes action={add} />}>
        {(list) => <NodeTable nodes={list} onOpen={drawer.open} onEdit={editor.open} />}
      </QueryView>
      {drawer.value !== null && (
        <NodeDrawer
          key={drawer.value}
          id={Number(drawer.value)}
          nodes={nodes}
          onEdit={editor.open}
          onClose={drawer.close}
        />
      )}
      {editor.value !== null && <NodeEditor key={editor.value} what={editor.value} onClose={editor.close} />}
      {enrol.value !== null && <EnrolmentDrawer what={enrol.value} onMade={enrol.open} onClose={enrol.close} />}
      {trust.value !== null && <TrustDialog onClose={trust.close} />}
    </Page>
  );
}
