import { Button, Table, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { updateGeofiles } from '#contract/coreFiles';
import { keys } from '../../../api/keys.ts';
import { useChange } from '../../../api/use-change.ts';
import { useFormat } from '../../../i18n/format.ts';
import { announceFailure } from '../../../ui/notices/announce.ts';
import { QueryView } from '../../../ui/query-view/query-view.tsx';
import { TableHead } from '../../../ui/layout/table-head.tsx';
import { TitledCard } from '../../../ui/layout/titled-card.tsx';
import { GEO_KEY, useGeoFiles } from '../parts/use-geo.ts';
import { JobProgress } from './job-progress.tsx';
import { useNewestJob } from './use-job.ts';

/** The lists whose categories rules use. */
export function GeoFiles() {
  const { t } = useTranslation(['core', 'words']);
  const format = useFormat();
  const cache = useQueryClient();
  const files = useGeoFiles();
  const update = useChange(updateGeofiles, [keys.jobs]);
  const job = useNewestJob('updateGeoFiles');
  const isRunning = job?.state === 'running';
  useEffect(() => {
    if (!isRunning) void cache.invalidateQueries({ queryKey: GEO_KEY });
  }, [isRunning, cache]);
  const run = (fileName?: string): void =>
    update.mutate({ body: fileName === undefined ? {} : { fileName } }, { onError: announceFailure });
  return (
    <TitledCard
      title={t('geo.heading')}
      actions={
        <Button variant="default" disabled={isRunning} loading={update.isPending} onClick={() => run()}>
          {t('geo.updateAll')}
        </Button>
      }
    >
      <QueryView query={files} empty={<Text size="sm">{t('geo.none')}</Text>}>
        {(rows) => (
          <Table.ScrollContainer minWidth={320}>
            <Table>
              <TableHead columns={[t('geo.name'), t('words:size'), t('geo.categories'), t('geo.updated')]} />
              <Table.Tbody>
                {rows.map(({ name, size, categories, updatedAt }) => (
                  <Table.Tr key={name}>
                    <Table.Th scope="row">
                      <bdi>{name}</bdi>
                    </Table.Th>
                    <Table.Td>{format.bytes(size)}</Table.Td>
                    <Table.Td>{format.number(categories.length)}</Table.Td>
                    <Table.Td>{updatedAt === 0 ? t('geo.shipped') : format.date(updatedAt)}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </QueryView>
      {job !== undefined && <JobProgress job={job} />}
    </TitledCard>
  );
}
