import { Alert, Button, Group, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useSearchParams } from 'react-router';
import type { ConnectionView } from '../../../src-main/bridge/contract.ts';
import { confirmedFirst } from '../../api/confirm-first.tsx';
import { requireDesktop } from '../../api/desktop.ts';
import { keys } from '../../api/keys.ts';
import { ChooseFile } from '../../ui/files/choose-file.tsx';
import { announceDone, announceFailure } from '../../ui/notices/announce.ts';
import { confirmAction } from '../../ui/confirm.tsx';
import { QueryView } from '../../ui/query-view/query-view.tsx';
import { saveFile } from '../../ui/files/save-file.ts';
import { ConnectionCard } from './connection-card.tsx';
import { ConnectionDialog } from './connection-dialog.tsx';
import { DesktopFrame } from './desktop-frame.tsx';
import { WindowChoices } from './window-choices.tsx';

/** Panels known to this window: this computer's and saved remote ones. Works when none of them is reachable. */
export function ConnectionsPage() {
  const { t } = useTranslation(['desktop', 'lock', 'words']);
  const navigate = useNavigate();
  const cache = useQueryClient();
  const { connections: verbs } = requireDesktop();
  const [search, setSearch] = useSearchParams();
  const list = useQuery({ queryKey: keys.connections, queryFn: () => verbs.list() });
  const areKept = useQuery({
    queryKey: [...keys.connections, 'kept'],
    queryFn: () => verbs.areSecretsKept(),
  });
  const refresh = (): void => void cache.invalidateQueries({ queryKey: keys.connections });
  const add = search.get('add');
  const edited = list.data?.find(({ id }) => id === search.get('edit'));
  const close = (): void => setSearch({}, { replace: true });
  // Without a panel there is nothing to go back to: the first choice is asked again.
  const hasPanel = list.data?.find(({ isCurrent }) => isCurrent)?.address !== '';

  const handleRemove = async ({ id, name }: ConnectionView): Promise<void> => {
    const action = t('remove.action', { name });
    if (!(await confirmAction({ title: action, text: t('remove.text'), action }))) return;
    await verbs.remove(id).then(refresh, announceFailure);
  };
  const handleImport = async (file: File | null): Promise<void> => {
    if (file === null) return;
    try {
      announceDone(t('imported', { count: await verbs.importAll(await file.text()) }));
      refresh();
    } catch {
      announceFailure(new Error(t('importRefused', { name: file.name })));
    }
  };

  return (
    <DesktopFrame title={t('words:panels')} size={860}>
      <Stack>
        {areKept.data === false && (
          <Alert color="blue" title={t('notKept')}>
            {t('notKeptText')}
          </Alert>
        )}
        <Group>
          <Button leftSection={<IconPlus size={16} />} onClick={() => setSearch({ add: '' })}>
            {t('add')}
          </Button>
          <ChooseFile accept="application/json" onChange={(file) => void handleImport(file)}>
            {(props) => (
              <Button variant="default" {...props}>
                {t('import')}
              </Button>
            )}
          </ChooseFile>
          <Button
            variant="default"
            onClick={() =>
              void confirmedFirst(() => verbs.exportAll()).then(
                (text) => saveFile('connections.json', text),
                announceFailure,
              )
            }
          >
            {t('export')}
          </Button>
          <Button variant="default" component={Link} to="/desktop/lock">
            {t('lock:open')}
          </Button>
          <Button variant="subtle" ms="auto" onClick={() => void navigate(hasPanel ? '/panel' : '/desktop/welcome')}>
            {t('words:backToPanel')}
          </Button>
        </Group>
        <QueryView query={list} empty={null}>
          {(connections) => (
            <Stack>
              {connections.map((connection) => (
                <ConnectionCard
                  key={connection.id}
                  connection={connection}
                  onUse={() => void verbs.use(connection.id).catch(announceFailure)}
                  onEdit={() => setSearch({ edit: connection.id })}
                  onRemove={() => void handleRemove(connection)}
                />
              ))}
            </Stack>
          )}
        </QueryView>
        <WindowChoices />
      </Stack>
      {(add !== null || edited !== undefined) && (
        <ConnectionDialog
          // A second link fills in the form again.
          key={search.toString()}
          connection={edited ?? null}
          prefilled={{ address: add ?? '', name: search.get('name') ?? '' }}
          onClose={close}
          onSaved={() => {
            close();
            refresh();
          }}
        />
      )}
    </DesktopFrame>
  );
}
