import { SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getStatus } from '#contract/server';
import { keys } from '../../../api/keys.ts';
import { useCall } from '../../../api/transport-context.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { CoreState } from './core-state.tsx';
import { GeoFiles } from './geo-files.tsx';
import { Versions } from './versions.tsx';

/** Whether the core runs, which one, and the files it reads. */
export function StateSection() {
  const call = useCall();
  const status = useQuery({ queryKey: keys.status, queryFn: ({ signal }) => call(getStatus, {}, signal) });
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
