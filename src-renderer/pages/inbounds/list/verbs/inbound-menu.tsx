import { Menu } from '@mantine/core';
import { RowMenu } from '../../../../ui/row-menu.tsx';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { CountedInbound } from '#contract/inbounds';
import { isProtocol } from '#wire/protocol-catalogue';
import { useDialogParam } from '../../../../ui/address/use-dialog-param.ts';
import { takesClients } from '../../../clients/use-inbound-options.ts';
import { nameOf } from '../inbound-kind.ts';
import type { InboundActions } from './use-inbound-actions.ts';

/** All actions on one inbound. */
export function InboundMenu({ inbound, actions }: { inbound: CountedInbound; actions: InboundActions }) {
  const { t } = useTranslation(['inbounds', 'inboundTools', 'words']);
  const code = useDialogParam('code');
  const name = nameOf(inbound);
  return (
    <RowMenu label={t('words:actionsOf', { name })}>
      {takesClients(inbound) && (
        <>
          {inbound.clientCount > 0 && (
            <Menu.Item onClick={() => code.open(String(inbound.id))}>{t('inboundTools:code')}</Menu.Item>
          )}
          <Menu.Item component={Link} to={`/panel/clients?inbound=${inbound.id}&edit=`}>
            {t('inboundTools:addClient')}
          </Menu.Item>
          <Menu.Divider />
        </>
      )}
      <Menu.Item component={Link} to={`/panel/inbounds/${inbound.id}`}>
        {isProtocol(inbound.protocol) ? t('words:edit') : t('look')}
      </Menu.Item>
      {isProtocol(inbound.protocol) && (
        <Menu.Item component={Link} to={`/panel/inbounds/new?from=${inbound.id}`}>
          {t('clone')}
        </Menu.Item>
      )}
      {isProtocol(inbound.protocol) && (
        <Menu.Item onClick={() => void actions.copyRecipe(inbound)}>{t('inboundTools:copyRecipe')}</Menu.Item>
      )}
      <Menu.Item onClick={() => void actions.exportOne(inbound)}>{t('export')}</Menu.Item>
      <Menu.Item onClick={() => void actions.resetTraffic([inbound])}>{t('words:resetTraffic')}</Menu.Item>
      <Menu.Divider />
      {inbound.clientCount > 0 && (
        <Menu.Item color="red" onClick={() => void actions.removeClients(inbound)}>
          {t('removeClients.menu')}
        </Menu.Item>
      )}
      <Menu.Item color="red" onClick={() => void actions.remove([inbound])}>
        {t('remove.action', { count: 1 })}
      </Menu.Item>
    </RowMenu>
  );
}
