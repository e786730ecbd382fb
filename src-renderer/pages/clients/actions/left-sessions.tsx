import { Alert, Button, Group, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type * as z from 'zod';
import { endSessions, type SessionReport } from '#contract/traffic';
import { keys } from '../../../api/keys.ts';
import { useChange } from '../../../api/use-change.ts';
import { announceFailure } from '../../../ui/notices/announce.ts';

type Report = z.infer<typeof SessionReport>;

/** The server takes this many names in one call. */
const MAX_NAMES = 10_000;
const SHOWN = 10;

/** Who may still be connected although the credential no longer works, why, and the further steps there are. */
export function LeftSessions({ first, emails }: { first: Report; emails: readonly string[] }) {
  const { t } = useTranslation(['clients', 'clientActions', 'shell']);
  const end = useChange(endSessions, [keys.clients]);
  const [report, setReport] = useState(first);
  const { left, leftCount, offers, note } = report;
  if (leftCount === 0) return <Alert color="teal">{t('clientActions:left.none')}</Alert>;
  // The report names a hundred; of more than that, everybody the action named is meant.
  const names = leftCount <= left.length ? left.map(({ email }) => email) : emails.slice(0, MAX_NAMES);
  return (
    <Alert color="yellow" title={t('result.leftOpen', { count: leftCount })}>
      <Stack gap="xs">
        <Table>
          <Table.Tbody>
            {left.slice(0, SHOWN).map(({ email, reason }) => (
              <Table.Tr key={email}>
                <Table.Th scope="row">
                  <bdi>{email}</bdi>
                </Table.Th>
                <Table.Td>{t(`clientActions:leftReason.${reason}`)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        {leftCount > SHOWN && <Text size="sm">{t('shell:more', { count: leftCount - SHOWN })}</Text>}
        {note !== '' && <Text size="sm">{note}</Text>}
        <Group gap="xs">
          {offers.map((how) => (
            <Button
              key={how}
              size="xs"
              variant="default"
              loading={end.isPending}
              onClick={() =>
                end.mutate({ body: { emails: names, how } }, { onSuccess: setReport, onError: announceFailure })
              }
            >
              {t(`clientActions:sessions.${how}`)}
            </Button>
          ))}
        </Group>
      </Stack>
    </Alert>
  );
}
