import { SimpleGrid, Stack } from '@mantine/core';
import { getStatus } from '#contract/server';
import { keys } from '../../../api/keys.ts';
import { useRead } from '../../../api/use-read.ts';
import { QueryView } from '../../../ui/query-view/query-view.tsx';
import { CoreState } from './core-state.tsx';
import { GeoFiles } from './geo-files.tsx';
import { Versions } from './versions.tsx';

/** Whether the core runs, which one, and the files it reads. */
export function StateSection() {
  const status = useRead(getStatus, {}, keys.status);
  return (
    <QueryView query={status}>
      {({ core, appStats }) => (
        <Stack>
          <CoreState core={core} uptime={appStats.uptime} />
          <SimpleGrid cols={{ base: 1, lg: 2 }}>
            <Versions present={core.version} />
            <GeoFiles />
          </SimpleGrid>
        </Stack>
      )}
    </QueryView>
  );
}
