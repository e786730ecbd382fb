import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { listGroups } from '#contract/groups';
import { keys } from '../../api/keys.ts';
import { useRead } from '../../api/use-read.ts';
import { ColumnPicker } from '../../ui/columns/column-picker.tsx';
import { CsvButton } from '../../ui/csv/csv-button.tsx';
import { groupsCsv } from './groups-csv.ts';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { QueryView } from '../../ui/query-view/query-view.tsx';
import { useDialogParam } from '../../ui/address/use-dialog-param.ts';
import { ClientActions } from '../clients/actions/client-actions.tsx';
import { GroupDialog } from './group-dialog.tsx';
import { GroupSections } from './group-sections.tsx';
import { useGroupColumns } from './group-columns.ts';
import { GroupTable } from './group-table.tsx';
import { MembersDialog } from './members-dialog.tsx';

/** Labels of clients with their totals. */
export function GroupsPage() {
  const { t } = useTranslation(['groups', 'shell']);
  const groups = useRead(listGroups, {}, keys.groups);
  const dialog = useDialogParam('group');
  const members = useDialogParam('members');
  const columns = useGroupColumns();
  const rows = groups.data ?? [];
  const add = <Button onClick={() => dialog.open('new')}>{t('add')}</Button>;
  return (
    <Page
      title={t('shell:nav.groups')}
      actions={
        rows.length === 0 ? undefined : (
          <>
            <ColumnPicker choice={columns} nameOf={(id) => t(id)} />
            <CsvButton name="groups" table={() => groupsCsv(rows)} />
            {add}
          </>
        )
      }
    >
      <GroupSections current="groups" />
      <QueryView query={groups} empty={<EmptyState text={t('none')} action={add} />}>
        {(rows) => <GroupTable rows={rows} onMembers={members.open} />}
      </QueryView>
      {dialog.value !== null && <GroupDialog onClose={dialog.close} />}
      {members.value !== null && <MembersDialog key={members.value} name={members.value} onClose={members.close} />}
      <ClientActions groups={(groups.data ?? []).map(({ name }) => name)} />
    </Page>
  );
}
