import { Anchor, Button, Group, List, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { dismissCheck, getChecklist, type Check, type CheckName } from '#contract/checklist';
import { keys } from '../../api/keys.ts';
import { failureOf, useRead } from '../../api/use-read.ts';
import { useChange } from '../../api/use-change.ts';
import { useFormat } from '../../i18n/format.ts';
import { Failure } from '../../ui/notices/failure.tsx';
import { announceFailure } from '../../ui/notices/announce.ts';
import { Hint } from '../../ui/layout/hint.tsx';

const KEY = [...keys.settings, 'checklist'];
/** The page for each point. */
const PLACES: Readonly<Record<CheckName, string>> = {
  https: '/panel/settings/general?q=webCertFile',
  twoFactor: '/panel/settings/security?twoFactor=on',
  publicAddress: '/panel/settings/subscription?q=subDomain',
  firewall: '/panel/inbounds',
  backups: '/panel/settings/backup',
  certificates: '/panel/settings/general?q=webCertFile',
  core: '/panel/core/state',
  ports: '/panel/settings/general?q=webPort',
};

/** What a panel needs before it is left alone, until each point is done or dismissed. */
export function Checklist() {
  const { t } = useTranslation(['checklist', 'words']);
  const format = useFormat();
  const list = useRead(getChecklist, {}, KEY);
  const checks = list.data ?? [];
  const dismiss = useChange(dismissCheck, [KEY]);
  const left = checks.filter(({ isDone, isDismissed }) => !isDone && !isDismissed);
  const put = checks.filter(({ isDismissed, isDone }) => isDismissed && !isDone);
  if (left.length === 0 && put.length === 0) return <Failure error={{ message: failureOf(list) }} mt="md" />;
  const set = (name: CheckName, dismissed: boolean): void =>
    dismiss.mutate({ body: { name, dismissed } }, { onError: announceFailure });
  return (
    <section aria-labelledby="checklist">
      {left.length > 0 && (
        <>
          <Title order={3} size="h6" id="checklist" mt="md" mb={4}>
            {t('title', {
              done: format.number(checks.length - left.length),
              all: format.number(checks.length),
            })}
          </Title>
          <List size="sm" spacing={6}>
            {left.map((check) => (
              <List.Item key={check.name}>
                {reasonOf(check)}
                <Group gap="xs">
                  <Anchor
                    component={Link}
                    to={PLACES[check.name]}
                    size="sm"
                    underline="always"
                    aria-label={t('openOf', { name: t(`name.${check.name}`) })}
                  >
                    {t('words:open')}
                  </Anchor>
                  <PutAway name={check.name} onClick={() => set(check.name, true)} />
                </Group>
              </List.Item>
            ))}
          </List>
        </>
      )}
      {put.length > 0 && (
        <Group gap="xs" mt="xs" {...(left.length === 0 ? { id: 'checklist' } : {})}>
          <Hint size="xs">{t('away', { names: put.map(({ name }) => t(`name.${name}`)).join(', ') })}</Hint>
          <Button size="compact-xs" variant="default" onClick={() => put.forEach(({ name }) => set(name, false))}>
            {t('back')}
          </Button>
        </Group>
      )}
    </section>
  );

  function reasonOf({ name, facts }: Check): string {
    const { version = '' } = facts;
    // Values to type into other programs, so never translated.
    const ports = `\u2068${facts['ports'] ?? ''}\u2069`;
    if (name === 'firewall') return t('reason.firewall', { ports });
    if (name === 'ports') return t('reason.ports', { ports });
    return name === 'core' ? t('reason.core', { version }) : t(`reason.${name}`);
  }
}

function PutAway({ name, onClick }: { name: CheckName; onClick: () => void }) {
  const { t } = useTranslation('checklist');
  const words = name === 'firewall' ? t('isDone') : t('putAway');
  return (
    <Button size="compact-xs" variant="default" aria-label={`${words}: ${t(`name.${name}`)}`} onClick={onClick}>
      {words}
    </Button>
  );
}
