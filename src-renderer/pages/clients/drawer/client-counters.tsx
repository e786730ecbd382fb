import { Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { getClientTraffic } from '#contract/clients';
import { keys } from '../../../api/keys.ts';
import { useRead } from '../../../api/use-read.ts';
import { useFormat } from '../../../i18n/format.ts';
import { serverNow } from '../../../stores/server-clock.ts';
import { QueryView } from '../../../ui/query-view/query-view.tsx';
import { useDialogParam } from '../../../ui/address/use-dialog-param.ts';
import { Hint } from '../../../ui/layout/hint.tsx';
import { TrafficDialog } from './traffic-dialog.tsx';

/** What was counted in each direction, when the client was last online, and setting the counters by hand. */
export function ClientCounters({ email }: { email: string }) {
  const { t } = useTranslation('clientTools');
  const format = useFormat();
  const dialog = useDialogParam('traffic');
  const traffic = useRead(getClientTraffic, { params: { email } }, [...keys.clients, 'traffic', email]);
  return (
    <QueryView query={traffic} isEmpty={(row) => row === null} empty={null}>
      {(row) =>
        row !== null && (
          <Stack gap={4}>
            <Group justify="space-between">
              <Text size="sm">{t('counters.figures', { up: format.bytes(row.up), down: format.bytes(row.down) })}</Text>
              <Button size="compact-sm" variant="default" onClick={() => dialog.open('edit')}>
                {t('counters.edit')}
              </Button>
            </Group>
            {row.lastOnline === 0 ? (
              <Hint>{t('counters.neverOnline')}</Hint>
            ) : (
              <Text size="sm" c="dimmed" title={format.dateTime(row.lastOnline)}>
                {t('counters.lastOnline', { when: format.relative(row.lastOnline, serverNow()) })}
              </Text>
            )}
            {dialog.value !== null && (
              <TrafficDialog email={email} up={row.up} down={row.down} onClose={dialog.close} />
            )}
          </Stack>
        )
      }
    </QueryView>
  );
}
