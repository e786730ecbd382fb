import { Alert, Group, Stack, Table, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ImportPlan as Plan } from '#contract/import';
import { useFormat } from '../../../i18n/format.ts';
import { leftOutKind, reasonWords } from '../../../i18n/refusal-words.ts';
import { TableHead } from '../../../ui/layout/table-head.tsx';
import { Hint } from '../../../ui/layout/hint.tsx';

const COUNTS = [
  'inbounds',
  'clients',
  'attachments',
  'groups',
  'hosts',
  'externalLinks',
  'settings',
  'apiTokens',
] as const;

/** What an import would bring, what it cannot bring and why, and what stays unchanged here. */
export function ImportPlan({ plan }: { plan: Plan }) {
  const { t } = useTranslation(['settings', 'certificates']);
  const format = useFormat();
  const { kind, counts, cannotCome, settingsKept } = plan;
  return (
    <Stack>
      <Text size="sm">{t(`import.kind.${kind}`)}</Text>
      {kind === 'own' && <Text size="sm">{t('certificates:keys.signIn')}</Text>}
      <Group gap="lg">
        {COUNTS.map((name) => (
          <Stack key={name} gap={0}>
            <Text fw={700}>{format.number(counts[name])}</Text>
            <Hint size="xs">{t(`import.count.${name}`)}</Hint>
          </Stack>
        ))}
      </Group>
      {cannotCome.length === 0 ? (
        <Text size="sm">{t('import.all')}</Text>
      ) : (
        <Stack gap="xs">
          <Title order={3} size="h6">
            {t('import.cannot')}
          </Title>
          <Table.ScrollContainer minWidth={320} mah={260}>
            <Table aria-label={t('import.cannot')}>
              <TableHead columns={[t('import.what'), t('import.reason')]} />
              <Table.Tbody>
                {cannotCome.map((one, at) => (
                  // The same item may be left out for two reasons.
                  <Table.Tr key={`${at} ${one.what} ${one.name}`}>
                    <Table.Th scope="row">
                      {leftOutKind(one)} <bdi>{one.name}</bdi>
                    </Table.Th>
                    <Table.Td>
                      <bdi>{reasonWords(one)}</bdi>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </Stack>
      )}
      {settingsKept.length > 0 && <Hint size="xs">{t('import.kept', { names: settingsKept.join(', ') })}</Hint>}
      <Alert color="yellow">{t('import.replaces')}</Alert>
    </Stack>
  );
}
