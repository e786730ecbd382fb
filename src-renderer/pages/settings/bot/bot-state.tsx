import { Alert, Button, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { backupToBot, getBotState, testBot, type BotState as State } from '#contract/bot';
import { keys } from '../../../api/keys.ts';
import { CallError } from '../../../api/transport.ts';
import { useRead } from '../../../api/use-read.ts';
import { useChange } from '../../../api/use-change.ts';
import { useFormat } from '../../../i18n/format.ts';
import { reasonWords, refusalText } from '../../../i18n/refusal-words.ts';
import { useRefusalTexts } from '../../../i18n/use-refusal-texts.ts';
import { TitledCard } from '../../../ui/layout/titled-card.tsx';
import { useSettingsDraft } from '../settings-draft.ts';
import { Chip } from '../../../ui/palette/chip.tsx';
import type { Tone } from '../../../ui/palette/tones.ts';

const LOOK_EVERY_MS = 3_000;
const TONES = { off: 'gray', starting: 'blue', running: 'green', waiting: 'red' } as const satisfies Record<
  string,
  Tone
>;

/** How far a test came, by the code of its refusal. */
const STAGES: Readonly<Record<string, 'connect' | 'token' | 'send'>> = {
  'bot.unreachable': 'connect',
  'bot.apiRefused': 'connect',
  'bot.rateLimited': 'connect',
  'bot.tokenRefused': 'token',
  'bot.noChat': 'send',
  'bot.chatRefused': 'send',
};

/** Live state of the bot's connection to its API server, with a test. */
export function BotState() {
  const { t } = useTranslation('settings');
  const { data, error } = useRead(getBotState, {}, [...keys.settings, 'bot'], { refetchInterval: LOOK_EVERY_MS });
  return (
    <TitledCard title={t('bot.title')}>
      {error !== null && <Alert color="red">{error.message}</Alert>}
      {data !== undefined && (
        <>
          <StateText bot={data} />
          <Trials isOn={data.state !== 'off'} />
        </>
      )}
    </TitledCard>
  );
}

function StateText({ bot }: { bot: State }) {
  const { t } = useTranslation('settings');
  const format = useFormat();
  const { state, mode, username, sinceMs, lastAnswerAtMs, problem, retryAtMs } = bot;
  useRefusalTexts(problem !== null);
  return (
    <>
      <Group gap="sm">
        <Chip tone={TONES[state]}>{t(`bot.state.${state}`)}</Chip>
        {username !== '' && (
          <Text size="sm">
            <bdi>@{username}</bdi>
          </Text>
        )}
        {state !== 'off' && <Text size="sm">{t('bot.since', { at: format.dateTime(sinceMs) })}</Text>}
      </Group>
      {state !== 'off' && <Text size="sm">{t(`bot.mode.${mode}`)}</Text>}
      {problem !== null && (
        <Alert color="red" role="status">
          {refusalText(problem, problem.text)}
          {retryAtMs > 0 && <Text size="sm">{t('bot.retry', { at: format.dateTime(retryAtMs) })}</Text>}
          {lastAnswerAtMs > 0 && <Text size="sm">{t('bot.lastAnswer', { at: format.dateTime(lastAnswerAtMs) })}</Text>}
        </Alert>
      )}
    </>
  );
}

/** Tests the stored settings, and shows the result. */
function Trials({ isOn }: { isOn: boolean }) {
  const { t } = useTranslation('settings');
  const isChanged = useSettingsDraft(({ changes, erased }) =>
    [...Object.keys(changes), ...erased].some((key) => key.startsWith('tg')),
  );
  const test = useChange(testBot, [[...keys.settings, 'bot']]);
  const backup = useChange(backupToBot, []);
  const { failed = [] } = backup.data ?? {};
  return (
    <>
      <Group>
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate({})}>
          {t('bot.test')}
        </Button>
        {isOn && (
          <Button variant="default" loading={backup.isPending} onClick={() => backup.mutate({})}>
            {t('bot.backup')}
          </Button>
        )}
      </Group>
      {isChanged && <Text size="sm">{t('bot.saveFirst')}</Text>}
      <div aria-live="polite">
        {test.error !== null && <Failure error={test.error} />}
        {test.data !== undefined && (
          <Alert color="teal">{t('bot.testDone', { chats: test.data.chats.join(', ') })}</Alert>
        )}
        {backup.error !== null && <Failure error={backup.error} />}
        {backup.data !== undefined && (
          <Alert color={failed.length === 0 ? 'teal' : 'yellow'}>
            {t('bot.backupDone', { chats: backup.data.chats.join(', ') })}
            {failed.map(({ chat, ...refused }) => (
              <Text key={chat} size="sm">
                <bdi>{chat}</bdi>: <bdi>{reasonWords(refused)}</bdi>
              </Text>
            ))}
          </Alert>
        )}
      </div>
    </>
  );
}

function Failure({ error }: { error: Error }) {
  const { t } = useTranslation('settings');
  const stage = error instanceof CallError ? STAGES[error.code] : undefined;
  return (
    <Alert
      color="red"

      {...(stage === undefined ? {} : { title: t(`bot.stage.${stage}`) })}
    >
      {error.message}
    </Alert>
  );
}
