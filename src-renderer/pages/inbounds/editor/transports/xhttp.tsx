import { Accordion } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useValueAt } from '../parts/draft-context.tsx';
import { ChoiceAt, NumberAt, SwitchAt, TextAt } from '../parts/fields.tsx';
import { FieldsGrid } from '../parts/fields-grid.tsx';
import { PairsAt } from '../parts/pairs-at.tsx';

const AT = 'streamSettings.xhttpSettings';
/** Fields with the core's names as labels: people who tune them read its documentation. */
const TUNING = [
  'scMaxEachPostBytes',
  'scMinPostsIntervalMs',
  'scStreamUpServerSecs',
  'sessionIDPlacement',
  'sessionIDKey',
  'sessionIDTable',
  'sessionIDLength',
  'seqPlacement',
  'seqKey',
  'uplinkDataPlacement',
  'uplinkDataKey',
  'uplinkHTTPMethod',
] as const;
const OBFUSCATION = ['xPaddingKey', 'xPaddingHeader', 'xPaddingPlacement', 'xPaddingMethod'] as const;
const NUMBERS = ['scMaxBufferedPosts', 'serverMaxHeaderBytes'] as const;

/** XHTTP. Empty fields are left to the core: writing its defaults out would make the inbound recognisable. */
export function XhttpFields() {
  const { t } = useTranslation('inboundEditor');
  const isObfuscated = useValueAt(`${AT}.xPaddingObfsMode`) === true;
  return (
    <>
      <FieldsGrid>
        <TextAt path={`${AT}.path`} name="path" placeholder="/" isAbsentWhenEmpty />
        <TextAt path={`${AT}.host`} name="host" hint="host" isAbsentWhenEmpty />
        <ChoiceAt
          path={`${AT}.mode`}
          name="mode"
          options={['auto', 'packet-up', 'stream-up', 'stream-one']}
          emptyLabel="auto"
        />
        <TextAt path={`${AT}.xPaddingBytes`} name="xPaddingBytes" placeholder="100-1000" isAbsentWhenEmpty />
        <SwitchAt path={`${AT}.xPaddingObfsMode`} name="xPaddingObfsMode" />
        <SwitchAt path={`${AT}.noSSEHeader`} name="noSSEHeader" />
        {isObfuscated && OBFUSCATION.map((name) => <TextAt key={name} path={`${AT}.${name}`} isAbsentWhenEmpty />)}
      </FieldsGrid>
      <PairsAt path={`${AT}.headers`} name="headers" />
      <Accordion variant="contained">
        <Accordion.Item value="tuning">
          <Accordion.Control>{t('transport.tuning')}</Accordion.Control>
          <Accordion.Panel>
            <FieldsGrid>
              {TUNING.map((name) => (
                <TextAt key={name} path={`${AT}.${name}`} isAbsentWhenEmpty />
              ))}
              {NUMBERS.map((name) => (
                <NumberAt key={name} path={`${AT}.${name}`} />
              ))}
            </FieldsGrid>
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </>
  );
}
