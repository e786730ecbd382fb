import { Table, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { HeaderDraft, previewHeaders } from '#contract/subscriptions';
import { keys } from '../../api/keys.ts';
import { useRead } from '../../api/use-read.ts';
import { Named } from '../../ui/named.tsx';
import { TableHead } from '../../ui/layout/table-head.tsx';
import { TitledCard } from '../../ui/layout/titled-card.tsx';
import { Failure } from '../../ui/notices/failure.tsx';
import { useSettingsDraft } from './settings-draft.ts';
import classes from './settings.module.css';

const PREVIEW_AFTER_MS = 300;

/** Headers of a subscription for the typed values, as the server would send them. */
export function HeaderPreview() {
  const { t } = useTranslation(['settings', 'words']);
  const changes = useSettingsDraft((state) => state.changes);
  const [body] = useDebouncedValue(HeaderDraft.safeParse(changes).data ?? {}, PREVIEW_AFTER_MS);
  const preview = useRead(previewHeaders, { body }, [...keys.settings, 'headers', JSON.stringify(body)], {
    placeholderData: keepPreviousData,
  });
  const { data, error } = preview;
  return (
    <TitledCard title={t('preview.title')}>
      <Failure error={error} />
      {data !== undefined && (
        <>
          <Text size="sm">
            <Named sentence={(email) => t('preview.text', { email })} name={data.email} />
          </Text>
          <Table className={classes['headers'] ?? ''} dir="ltr">
            <TableHead columns={[t('preview.header'), t('words:value')]} />
            <Table.Tbody>
              {Object.entries(data.headers).map(([header, value]) => (
                <Table.Tr key={header}>
                  <Table.Th scope="row">
                    <bdi>{header}</bdi>
                  </Table.Th>
                  <Table.Td>
                    <bdi>{value}</bdi>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </>
      )}
    </TitledCard>
  );
}
