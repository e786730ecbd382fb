import { Accordion } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ChoiceAt, ListAt, NumberAt, SwitchAt, TextAt } from '../parts/fields.tsx';
import { FieldsGrid } from '../parts/fields-grid.tsx';

const AT = 'streamSettings.sockopt';
/** Labelled with the core's names. */
const TUNING = ['tcpMaxSeg', 'tcpUserTimeout', 'tcpWindowClamp'];

/** Options of the listening socket; empty fields use the system's defaults. */
export function SocketOptions() {
  const { t } = useTranslation('inboundEditor');
  return (
    <Accordion variant="contained">
      <Accordion.Item value="sockopt">
        <Accordion.Control>{t('transport.socket')}</Accordion.Control>
        <Accordion.Panel>
          <FieldsGrid>
            <SwitchAt path={`${AT}.acceptProxyProtocol`} name="acceptProxyProtocol" hint="acceptProxyProtocol" />
            <SwitchAt path={`${AT}.tcpFastOpen`} name="tcpFastOpen" />
            <SwitchAt path={`${AT}.tcpMptcp`} name="tcpMptcp" />
            <SwitchAt path={`${AT}.V6Only`} name="v6Only" />
            <ChoiceAt path={`${AT}.tproxy`} name="tproxy" options={['off', 'redirect', 'tproxy']} emptyLabel="off" />
            <ChoiceAt
              path={`${AT}.tcpcongestion`}
              name="congestion"
              options={['bbr', 'cubic', 'reno']}
              emptyLabel="—"
            />
            <TextAt path={`${AT}.interface`} name="interface" isAbsentWhenEmpty />
            <ListAt path={`${AT}.trustedXForwardedFor`} name="trustedForwardedFor" />
            <NumberAt path={`${AT}.mark`} name="mark" />
            <NumberAt path={`${AT}.tcpKeepAliveInterval`} name="tcpKeepAliveInterval" />
            <NumberAt path={`${AT}.tcpKeepAliveIdle`} name="tcpKeepAliveIdle" />
            {TUNING.map((name) => (
              <NumberAt key={name} path={`${AT}.${name}`} />
            ))}
          </FieldsGrid>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}
