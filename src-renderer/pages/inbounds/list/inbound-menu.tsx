import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { CountedInbound } from '#contract/inbounds';
import { isProtocol } from '../model/catalog.ts';
import { nameOf } from './inbound-kind.ts';
import type { InboundDeeds } from './use-inbound-deeds.ts';

/** Everything that can be done with one inbound. */
export function InboundMenu({ inbound, deeds }: { inbound: CountedInbound; deeds: InboundDeeds }) {
  const { t } = useTranslation('inbounds');
  const name = nameOf(inbound);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={36} aria-label={t('menu', { name })}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to={`/panel/inbounds/${inbound.id}`}>
          {isProtocol(inbound.protocol) ? t('edit') : t('look')}
        </Menu.Item>
        {isProtocol(inbound.protocol) && (
          <Menu.Item component={Link} to={`/panel/inbounds/new?from=${inbound.id}`}>
            {t('clone')}
          </Menu.Item>
        )}
        <Menu.Item onClick={() => void deeds.exportOne(inbound)}>{t('export')}</Menu.Item>
        <Menu.Item onClick={() => void deeds.resetTraffic([inbound])}>{t('reset')}</Menu.Item>
        <Menu.Divider />
        {inbound.clientCount > 0 && (
          <Menu.Item color="red" onClick={() => void deeds.removeClients(inbound)}>
            {t('removeClients.menu')}
          </Menu.Item>
        )}
        <Menu.Item color="red" onClick={() => void deeds.remove([inbound])}>
          {t('remove.deed', { count: 1 })}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
