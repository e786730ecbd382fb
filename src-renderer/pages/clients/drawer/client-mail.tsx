import { Button, Group, Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { getClientMail, sendClientLink, setClientMail } from '#contract/mail';
import { keys } from '../../../api/keys.ts';
import { failureOf, useRead } from '../../../api/use-read.ts';
import { useChange } from '../../../api/use-change.ts';
import { Failure } from '../../../ui/notices/failure.tsx';
import { announceDone, announceFailure } from '../../../ui/notices/announce.ts';

/** E-mail to a client whose name is an address: its link by a press, and whether it gets any at all. */
export function ClientMail({ email }: { email: string }) {
  const { t } = useTranslation('clientTools');
  const queryKey = [...keys.clients, 'mail', email];
  const choice = useRead(getClientMail, { params: { email } }, queryKey);
  const send = useChange(sendClientLink, []);
  const choose = useChange(setClientMail, [queryKey]);
  if (choice.data?.isAddress !== true) return <Failure error={{ message: failureOf(choice) }} />;
  const { isStopped } = choice.data;
  return (
    <Group gap="md">
      <Button
        variant="default"
        disabled={isStopped}
        loading={send.isPending}
        onClick={() =>
          send.mutate(
            { params: { email } },
            { onSuccess: () => announceDone(t('mail.queued', { count: 1 })), onError: announceFailure },
          )
        }
      >
        {t('mail.send')}
      </Button>
      <Switch
        label={t('mail.wanted')}
        checked={!isStopped}
        disabled={choose.isPending}
        onChange={(event) =>
          choose.mutate(
            { params: { email }, body: { isStopped: !event.currentTarget.checked } },
            { onError: announceFailure },
          )
        }
      />
    </Group>
  );
}
