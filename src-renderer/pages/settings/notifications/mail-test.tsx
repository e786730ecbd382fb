import { Alert, Button, Group, List, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconCheck, IconMinus, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { testSmtp } from '#contract/mail';
import { useChange } from '../../../api/use-change.ts';
import type { ResultOf } from '../../../api/transport.ts';
import { refusalText } from '../../../i18n/refusal-words.ts';
import { announceFailure } from '../../../ui/notices/announce.ts';
import { TitledCard } from '../../../ui/layout/titled-card.tsx';
import { Hint } from '../../../ui/layout/hint.tsx';
import { changedKeys, useSettingsDraft } from '../settings-draft.ts';
import classes from './notifications.module.css';

type Result = ResultOf<typeof testSmtp>;

const STAGES = ['connect', 'auth', 'send'] as const;

/** Sends a test message, and shows the stage it reached and the mail server's reply. */
export function MailTest() {
  const { t } = useTranslation('notifications');
  const isUnsaved = useSettingsDraft(({ changes, erased }) =>
    changedKeys(changes, erased).some((key) => key.startsWith('smtp')),
  );
  const test = useChange(testSmtp, []);
  return (
    <TitledCard
      title={t('mail.result')}
      actions={
        <Button
          variant="default"
          loading={test.isPending}
          disabled={isUnsaved}
          onClick={() => test.mutate({}, { onError: announceFailure })}
        >
          {t('mail.test')}
        </Button>
      }
    >
      <Hint>{t(isUnsaved ? 'mail.unsaved' : 'mail.testText')}</Hint>
      <div aria-live="polite">
        {test.data !== undefined && !test.isPending && <MailTestResult result={test.data} />}
      </div>
    </TitledCard>
  );
}

export function MailTestResult({ result }: { result: Result }) {
  const { t } = useTranslation('notifications');
  const { code, answer } = result;
  // The server's English ends with the reply, which has its own line.
  const english = result.msg.endsWith(`: ${answer}`) ? result.msg.slice(0, -answer.length - 2) : result.msg;
  const stoppedAt = result.success ? STAGES.length : STAGES.indexOf(result.stage);
  return (
    <Stack gap="sm">
      <List spacing={6} center listStyleType="none" className={classes['stages'] ?? ''}>
        {STAGES.map((stage, at) => (
          <List.Item
            key={stage}
            icon={<StageMark state={at < stoppedAt ? 'done' : at === stoppedAt ? 'failed' : 'open'} />}
          >
            {t(`mail.${stage}`)}
            {at === stoppedAt && (
              <Text span size="sm" c="dimmed">
                {' · '}
                {t('mail.failed')}
              </Text>
            )}
          </List.Item>
        ))}
      </List>
      {result.success ? (
        <Alert color="teal">{t('mail.done')}</Alert>
      ) : (
        <Alert color="red">
          {refusalText({ code, params: {} }, english)}
          {answer !== '' && (
            <Group mt={6}>
              <bdi dir="ltr" className={classes['answer']}>
                {answer}
              </bdi>
            </Group>
          )}
        </Alert>
      )}
    </Stack>
  );
}

function StageMark({ state }: { state: 'done' | 'failed' | 'open' }) {
  const [color, Icon] =
    state === 'done'
      ? (['teal', IconCheck] as const)
      : state === 'failed'
        ? (['red', IconX] as const)
        : (['gray', IconMinus] as const);
  return (
    <ThemeIcon color={color} variant="light" size={22} radius="xl" aria-hidden>
      <Icon size={14} />
    </ThemeIcon>
  );
}
