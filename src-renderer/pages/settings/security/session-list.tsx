import { Badge, Button, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { endSessions, listSessions, type SessionView } from '#contract/session';
import { keys } from '../../../api/keys.ts';
import { useRead } from '../../../api/use-read.ts';
import { useChange } from '../../../api/use-change.ts';
import { useFormat } from '../../../i18n/format.ts';
import { CardTable } from '../../../ui/layout/card-table.tsx';
import { announceDone, announceFailure } from '../../../ui/notices/announce.ts';
import { QueryView } from '../../../ui/query-view/query-view.tsx';
import { TitledCard } from '../../../ui/layout/titled-card.tsx';

const SESSIONS = [...keys.settings, 'sessions'];

/** Signed-in browsers, with buttons to end their sessions. */
export function SessionList() {
  const { t } = useTranslation(['settings', 'words']);
  const sessions = useRead(listSessions, {}, SESSIONS);
  const end = useChange(endSessions, [SESSIONS]);
  const handleEnd = (id?: string): void =>
    end.mutate(
      { body: id === undefined ? {} : { id } },
      { onSuccess: () => announceDone(t('sessions.ended')), onError: announceFailure },
    );
  return (
    <TitledCard
      title={t('sessions.title')}
      actions={
        <Button
          variant="default"
          disabled={(sessions.data?.filter(({ current }) => !current).length ?? 0) === 0}
          onClick={() => handleEnd()}
        >
          {t('sessions.endOthers')}
        </Button>
      }
    >
      <QueryView query={sessions}>
        {(rows) => (
          <CardTable
            minWidth={560}
            columns={[t('sessions.browser'), t('words:address'), t('sessions.since'), t('sessions.until')]}
            actions={t('sessions.end')}
          >
            {rows.map((session) => (
              <SessionRow key={session.id} session={session} onEnd={() => handleEnd(session.id)} />
            ))}
          </CardTable>
        )}
      </QueryView>
    </TitledCard>
  );
}

function SessionRow({ session, onEnd }: { session: SessionView; onEnd: () => void }) {
  const { t } = useTranslation(['settings', 'words']);
  const format = useFormat();
  return (
    <Table.Tr>
      <Table.Th scope="row" maw={280}>
        <Text size="sm" truncate title={session.userAgent}>
          <bdi>{session.userAgent}</bdi>
        </Text>
      </Table.Th>
      <Table.Td data-label={t('words:address')}>
        <bdi>{session.address}</bdi>
      </Table.Td>
      <Table.Td data-label={t('sessions.since')}>{format.dateTime(session.createdAt)}</Table.Td>
      <Table.Td data-label={t('sessions.until')}>{format.dateTime(session.expiresAt)}</Table.Td>
      <Table.Td ta="end">
        {session.current ? (
          <Badge variant="default" tt="none">
            {t('sessions.current')}
          </Badge>
        ) : (
          <Button
            size="xs"
            variant="default"
            onClick={onEnd}
            aria-label={t('sessions.endNamed', { address: session.address })}
          >
            {t('sessions.end')}
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
