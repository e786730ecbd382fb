import { Text } from '@mantine/core';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';

const NAMED = 3;

/** The names an action concerns: the first few and how many more. */
export function FirstNames({ names }: { names: readonly string[] }) {
  const { t } = useTranslation('shell');
  const more = names.length - NAMED;
  return (
    <Text size="sm" fw={600} lineClamp={3}>
      {names.slice(0, NAMED).map((name, at) => (
        <Fragment key={at}>
          {at > 0 && ' · '}
          <bdi>{name}</bdi>
        </Fragment>
      ))}
      {more > 0 && ` · ${t('more', { count: more })}`}
    </Text>
  );
}
