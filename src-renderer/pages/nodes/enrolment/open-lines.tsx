import { Anchor, Stack, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { listEnrolments } from '#contract/nodes/enrolment';
import { keys } from '../../../api/keys.ts';
import { useRead } from '../../../api/use-read.ts';
import { useFormat } from '../../../i18n/format.ts';
import { Hint } from '../../../ui/layout/hint.tsx';

/** Lines that a host can still run; each leads to its progress, where it can be taken back. */
export function OpenLines() {
  const { t } = useTranslation('nodes');
  const format = useFormat();
  const { data = [] } = useRead(listEnrolments, {}, [...keys.nodes, 'enrolment', 'open']);
  if (data.length === 0) return null;
  return (
    <Stack gap="xs" component="section">
      <Title order={3} size="h5">
        {t('enrol.open.title')}
      </Title>
      {data.map(({ id, name, createdAt, expiresAt }) => (
        <div key={id}>
          <Anchor component={Link} size="sm" to={`/panel/nodes?enrol=${id}`}>
            {name === '' ? t('enrol.open.unnamed') : <bdi>{name}</bdi>}
          </Anchor>
          <Hint>{t('enrol.open.times', { made: format.dateTime(createdAt), until: format.dateTime(expiresAt) })}</Hint>
        </div>
      ))}
    </Stack>
  );
}
