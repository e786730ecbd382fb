import { Accordion, Button, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { linksOfInbound } from '#contract/subscriptions';
import { keys } from '../../../api/keys.ts';
import { useRead } from '../../../api/use-read.ts';
import { CopyField } from '../../../ui/copy/copy-field.tsx';
import { QrCode } from '../../../ui/qr-code.tsx';
import { ReachNote } from '../../../ui/notices/reach-note.tsx';
import { QueryView } from '../../../ui/query-view/query-view.tsx';
import { saveFile } from '../../../ui/files/save-file.ts';
import { Hint } from '../../../ui/layout/hint.tsx';
import { linkName } from '../../clients/drawer/link-name.ts';

/** The WireGuard app accepts names of at most 15 letters, digits and a few signs. */
const fileNameOf = (peer: string): string => `${peer.replaceAll(/[^\w=+.-]/g, '').slice(0, 15) || 'peer'}.conf`;

/** Share links of the inbound's clients, from the server, as text and code; a WireGuard peer's code is its file. */
export function InboundLinks({ id }: { id: number }) {
  const { t } = useTranslation(['inbounds', 'recipes']);
  const links = useRead(linksOfInbound, { params: { id: String(id) } }, [...keys.inbounds, 'links', id]);
  return (
    <QueryView query={links} empty={<Hint>{t('drawer.noLinks')}</Hint>}>
      {(rows) => (
        // Codes of closed items are not drawn: a hundred of them hold up the page.
        <Accordion variant="separated" keepMounted={false}>
          {rows.map(({ email, link, config }, at) => (
            // Two hosts may give the same link.
            <Accordion.Item key={`${at} ${link}`} value={`${at}`}>
              <Accordion.Control>
                <bdi>{email}</bdi>{' '}
                <Text span display="block" size="xs" c="dimmed">
                  <bdi>{linkName(link)}</bdi>
                </Text>
              </Accordion.Control>
              <Accordion.Panel>
                <Stack>
                  <CopyField label={t('drawer.link')} value={link} />
                  <ReachNote link={link} />
                  {config !== '' && (
                    <Button
                      variant="default"
                      onClick={() => saveFile(fileNameOf(email), config, 'application/octet-stream')}
                    >
                      {t('recipes:configFile')}
                    </Button>
                  )}
                  <QrCode text={config === '' ? link : config} label={email} />
                </Stack>
              </Accordion.Panel>
            </Accordion.Item>
          ))}
        </Accordion>
      )}
    </QueryView>
  );
}
