import { Text } from '@mantine/core';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';

const NAMED = 3;

/** Whom a deed concerns, by name: the first few and how many more. */
export function NamedClients({ emails }: { emails: readonly string[] }) {
  const { t } = useTranslation('clientDeeds');
  const more = emails.length - NAMED;
  return (
    <Text size="sm" fw={600} lineClamp={3}>
      {emails.slice(0, NAMED).map((email, at) => (
        <Fragment key={email}>
          {at > 0 && ' · '}
          <bdi>{email}</bdi>
        </Fragment>
      ))}
      {more > 0 && ` · ${t('more', { count: more })}`}
    </Text>
  );
}
