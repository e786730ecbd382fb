import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useEditing, useTextAt } from '../parts/draft-context.tsx';
import { ListAt, SwitchAt, TextAt } from '../parts/fields.tsx';
import { FieldsGrid } from '../parts/fields-grid.tsx';
import { PairsAt } from '../parts/pairs-at.tsx';

const AT = 'streamSettings.tcpSettings';
const REQUEST = { version: '1.1', method: 'GET', path: ['/'], headers: {} };
const RESPONSE = { version: '1.1', status: '200', reason: 'OK', headers: {} };

/** Plain TCP, bare or disguised as HTTP. */
export function TcpFields() {
  const { t } = useTranslation('inboundEditor');
  const { edit } = useEditing();
  const header = useTextAt(`${AT}.header.type`) || 'none';
  return (
    <>
      <FieldsGrid>
        <Select
          label={t('field.disguise')}
          data={[
            { value: 'none', label: t('disguise.none') },
            { value: 'http', label: t('disguise.http') },
          ]}
          value={header}
          allowDeselect={false}
          onChange={(type) =>
            edit(`${AT}.header`, type === 'http' ? { type, request: REQUEST, response: RESPONSE } : undefined)
          }
        />
        <SwitchAt path={`${AT}.acceptProxyProtocol`} name="acceptProxyProtocol" hint="acceptProxyProtocol" />
      </FieldsGrid>
      {header === 'http' && (
        <>
          <FieldsGrid>
            <TextAt path={`${AT}.header.request.method`} name="requestMethod" />
            <ListAt path={`${AT}.header.request.path`} name="requestPaths" />
            <TextAt path={`${AT}.header.response.status`} name="responseStatus" />
            <TextAt path={`${AT}.header.response.reason`} name="responseReason" />
          </FieldsGrid>
          <PairsAt path={`${AT}.header.request.headers`} name="requestHeaders" isList />
          <PairsAt path={`${AT}.header.response.headers`} name="responseHeaders" isList />
        </>
      )}
    </>
  );
}
