import { Stack, Text, Title } from '@mantine/core';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import type { DirectoryPlan } from '#contract/directory';
import classes from './plan-lists.module.css';

/** What a run can do to clients; loss of access comes first. */
export const PLAN_LISTS = ['disable', 'detach', 'enable', 'attach', 'create'] as const;

/** Most names shown of one list. */
const SHOWN = 300;

/** The clients a plan would change, and the people it leaves out. */
export function PlanLists({ plan }: { plan: DirectoryPlan }) {
  const { t } = useTranslation('settings');
  const isNothing = PLAN_LISTS.every((name) => plan[name].length === 0);
  return (
    <Stack gap="md">
      {isNothing && <Text size="sm">{t('directory.nothing')}</Text>}
      {PLAN_LISTS.filter((name) => plan[name].length > 0).map((name) => (
        <Names key={name} title={t(`directory.list.${name}`, { count: plan[name].length })} names={plan[name]} />
      ))}
      {plan.leftOut.length > 0 && (
        <Names
          title={t('directory.leftOut', { count: plan.leftOut.length })}
          names={plan.leftOut.map(({ name, why }) => `${name} (${t(`directory.why.${why}`)})`)}
        />
      )}
    </Stack>
  );
}

function Names({ title, names }: { title: string; names: readonly string[] }) {
  const { t } = useTranslation('shell');
  const more = names.length - SHOWN;
  return (
    <Stack gap={4}>
      <Title order={3} size="h6">
        {title}
      </Title>
      <div className={classes['names']} role="group" aria-label={title} tabIndex={0}>
        {names.slice(0, SHOWN).map((name, at) => (
          <Fragment key={`${at} ${name}`}>
            {at > 0 && ' · '}
            <bdi>{name}</bdi>
          </Fragment>
        ))}
        {more > 0 && ` · ${t('more', { count: more })}`}
      </div>
    </Stack>
  );
}

/** Configured tags that no inbound has. */
export function UnknownTags({ tags }: { tags: readonly string[] }) {
  const { t } = useTranslation('settings');
  if (tags.length === 0) return null;
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {t('directory.unknownTags')} <bdi>{tags.join(', ')}</bdi>
    </Text>
  );
}
