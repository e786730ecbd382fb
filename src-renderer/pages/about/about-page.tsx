import { Anchor, Group, Stack, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { getStatus } from '#contract/server';
import { keys } from '../../api/keys.ts';
import { useRead } from '../../api/use-read.ts';
import { Page } from '../../ui/layout/page.tsx';
import { QueryView } from '../../ui/query-view/query-view.tsx';
import { TableHead } from '../../ui/layout/table-head.tsx';
import { TitledCard } from '../../ui/layout/titled-card.tsx';
import classes from './about.module.css';
import { LICENCES } from './licences.ts';
import { PanelUpdate } from './panel-update.tsx';

/** Installed versions, newer ones, and the licences. */
export function AboutPage() {
  const { t } = useTranslation(['about', 'shell', 'words']);
  const status = useRead(getStatus, {}, keys.status);
  return (
    <Page title={t('shell:nav.about')}>
      <Stack gap="md">
        <TitledCard title={t('words:versions')}>
          <QueryView query={status}>
            {({ panelVersion, core, panelGuid }) => (
              <Table dir="auto" layout="fixed" className={classes['facts'] ?? ''}>
                <Table.Tbody>
                  <Fact name={t('words:panel')} value={panelVersion} />
                  <Fact name={t('shell:nav.core')} value={core.version} />
                  <Fact name={t('identity')} value={panelGuid} />
                </Table.Tbody>
              </Table>
            )}
          </QueryView>
        </TitledCard>
        <PanelUpdate />
        <TitledCard title={t('words:links')}>
          <Group gap="lg">
            <Anchor component={Link} to="/panel/first-run?step=look">
              {t('setUp')}
            </Anchor>
            <Anchor component={Link} to="/panel/api-reference">
              {t('words:apiReference')}
            </Anchor>
            <Anchor component={Link} to="/panel/settings/general">
              {t('shell:nav.settings')}
            </Anchor>
          </Group>
        </TitledCard>
        <TitledCard title={t('licences.title')}>
          <Table className={classes['value'] ?? ''}>
            <TableHead columns={[t('licences.part'), t('licences.licence'), t('licences.use')]} />
            <Table.Tbody>
              {LICENCES.map(({ part, licence, use }) => (
                <Table.Tr key={part}>
                  <Table.Th scope="row">
                    <bdi>{part}</bdi>
                  </Table.Th>
                  <Table.Td>
                    <bdi>{licence}</bdi>
                  </Table.Td>
                  <Table.Td>{t(`use.${use}`)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </TitledCard>
      </Stack>
    </Page>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <Table.Tr>
      <Table.Th scope="row">{name}</Table.Th>
      <Table.Td>
        <Text size="sm" className={classes['value'] ?? ''}>
          <bdi>{value}</bdi>
        </Text>
      </Table.Td>
    </Table.Tr>
  );
}
