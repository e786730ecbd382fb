import { ActionIcon, Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ShownExternalLink } from '#contract/clients';
import { urlOf } from '../../../forms/url-of.ts';
import { useFormat } from '../../../i18n/format.ts';
import { announceDone, announceFailure } from '../../../ui/notices/announce.ts';
import { announceUndo } from '../../../ui/undo/announce-undo.tsx';
import { useDialogParam } from '../../../ui/address/use-dialog-param.ts';
import { Hint } from '../../../ui/layout/hint.tsx';
import { linkName } from './link-name.ts';
import { ExternalLinkDialog } from './external-link-dialog.tsx';
import { useExternalLinks } from './use-external-links.ts';

interface ExternalLinksProps {
  email: string;
  links: readonly ShownExternalLink[];
}

/** What the subscription of a client carries besides its inbounds. */
export function ExternalLinks({ email, links }: ExternalLinksProps) {
  const { t } = useTranslation(['clientTools', 'words']);
  const dialog = useDialogParam('external');
  const { change } = useExternalLinks(email);
  // Stays open with what was typed when another admin removes the link.
  const [opened, setOpened] = useState<ShownExternalLink>();
  const isNew = dialog.value === 'new';
  const edited = dialog.value === null || isNew ? undefined : (opened ?? links[Number(dialog.value)]);
  const remove = (link: ShownExternalLink): void =>
    change.mutate(
      { former: link, next: null },
      {
        onSuccess: () =>
          announceUndo(
            t('external.removed'),
            // The drawer may have been closed.
            () =>
              void change
                .mutateAsync({ former: null, next: link, at: links.indexOf(link) })
                .then(() => announceDone(t('external.saved')), announceFailure),
          ),
        onError: announceFailure,
      },
    );
  return (
    <Stack component="section" aria-labelledby="external-links" gap="xs">
      <Group justify="space-between">
        <Title order={3} size="h5" id="external-links">
          {t('external.title')}
        </Title>
        <Button size="compact-sm" variant="default" onClick={() => dialog.open('new')}>
          {t('external.add')}
        </Button>
      </Group>
      {links.length === 0 && <Hint>{t('external.none')}</Hint>}
      {links.map((link, at) => (
        // The same link may be there twice.
        <Group key={`${at} ${link.value}`} justify="space-between" wrap="nowrap" align="flex-start">
          <ShownLink link={link} />
          <Group gap={4} wrap="nowrap">
            <ActionIcon
              variant="subtle"
              aria-label={t('words:editNamed', { name: nameOf(link) })}
              onClick={() => {
                setOpened(link);
                dialog.open(String(at));
              }}
            >
              <IconPencil size={16} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="red"
              aria-label={t('external.removeNamed', { name: nameOf(link) })}
              disabled={change.isPending}
              onClick={() => remove(link)}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        </Group>
      ))}
      {(isNew || edited !== undefined) && (
        <ExternalLinkDialog key={dialog.value} email={email} link={edited ?? null} onClose={dialog.close} />
      )}
    </Stack>
  );
}

const nameOf = ({ kind, value, remark }: ShownExternalLink): string =>
  remark || (kind === 'subscription' ? (urlOf(value)?.host ?? value) : linkName(value));

/** A subscription opens in a tab of its own; a share link is for apps, so its text is what there is to see. */
function ShownLink({ link }: { link: ShownExternalLink }) {
  const { t } = useTranslation('clientTools');
  const format = useFormat();
  const { kind, value, lastFetchAt, lastFetchError = '' } = link;
  return (
    <Stack gap={0} miw={0}>
      <Text size="sm">
        <bdi>{nameOf(link)}</bdi>
      </Text>
      {kind === 'subscription' && /^https?:/i.test(value) ? (
        <Anchor href={value} target="_blank" rel="noreferrer" size="sm" truncate dir="ltr">
          {value}
        </Anchor>
      ) : (
        <Text size="sm" c="dimmed" truncate dir="ltr" title={value}>
          {value}
        </Text>
      )}
      {lastFetchAt !== undefined && (
        <Text size="xs" c={lastFetchError === '' ? 'dimmed' : 'red'}>
          {lastFetchError === ''
            ? t('external.fetched', { when: format.dateTime(lastFetchAt) })
            : t('external.failed', { when: format.dateTime(lastFetchAt), reason: lastFetchError })}
        </Text>
      )}
    </Stack>
  );
}
