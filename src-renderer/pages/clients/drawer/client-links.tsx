import { Accordion, Stack, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { getEffectiveDefaults } from '#contract/settings';
import { linksOfClient } from '#contract/subscriptions';
import { keys } from '../../../api/keys.ts';
import { useRead } from '../../../api/use-read.ts';
import { CopyField } from '../../../ui/copy/copy-field.tsx';
import { QrCode } from '../../../ui/qr-code.tsx';
import { ReachNote } from '../../../ui/notices/reach-note.tsx';
import { QueryView } from '../../../ui/query-view/query-view.tsx';
import { Hint } from '../../../ui/layout/hint.tsx';
import { ClientMail } from './client-mail.tsx';
import { linkName, subscriptionUrl } from './link-name.ts';

/** What a client's phone needs: the subscription, and every single link, as text and as a code. */
export function ClientLinks({ email, subId }: { email: string; subId: string }) {
  const { t } = useTranslation(['clientTools', 'words']);
  const defaults = useRead(getEffectiveDefaults, {}, [...keys.settings, 'effective']);
  const links = useRead(linksOfClient, { params: { email } }, [...keys.clients, 'links', email]);
  const { subEnable = false, subURI = '' } = defaults.data ?? {};
  const subscription = subEnable && subId !== '' ? subscriptionUrl(subURI, subId) : '';
  return (
    <Stack component="section" aria-labelledby="client-links" gap="sm">
      <Title order={3} size="h5" id="client-links">
        {t('words:links')}
      </Title>
      {subscription !== '' && (
        <>
          <CopyField label={t('words:subscription')} value={subscription} />
          {email.includes('@') && <ClientMail email={email} />}
          <ReachNote link={subscription} />
          <QrCode text={subscription} label={email} />
        </>
      )}
      <QueryView query={links} empty={<Hint>{t('links.none')}</Hint>}>
        {(all) => (
          <Accordion variant="separated" keepMounted={false}>
            {all.map((link, at) => (
              // Two hosts may give the same link.
              <Accordion.Item key={`${at} ${link}`} value={`${at}`}>
                <Accordion.Control>
                  <bdi>{linkName(link)}</bdi>
                </Accordion.Control>
                <Accordion.Panel>
                  <Stack>
                    <CopyField label={t('links.link')} value={link} />
                    <ReachNote link={link} />
                    <QrCode text={link} label={linkName(link)} />
                  </Stack>
                </Accordion.Panel>
              </Accordion.Item>
            ))}
          </Accordion>
        )}
      </QueryView>
    </Stack>
  );
}
