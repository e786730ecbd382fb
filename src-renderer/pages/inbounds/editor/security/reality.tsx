import { Fieldset, SimpleGrid } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { getNewmldsa65, getNewX25519Cert } from '#contract/server';
import { useCall } from '../../../../api/transport-context.tsx';
import { objectAt } from '../../../../forms/draft/json.ts';
import { useDraftState, useEditing } from '../parts/draft-context.tsx';
import { ChoiceAt, ListAt, NumberAt, SizeAt, SwitchAt, TextAt } from '../parts/fields.tsx';
import { FieldsGrid } from '../parts/fields-grid.tsx';
import { GenerateButton } from '../parts/generate-button.tsx';
import { randomHex } from '../parts/random-text.ts';
import { FINGERPRINTS } from './fingerprints.ts';
import { TargetScan } from './target-scan.tsx';

const AT = 'streamSettings.realitySettings';
/** Rate limits of strangers' traffic through the site that REALITY imitates. */
const LIMITS = ['limitFallbackUpload', 'limitFallbackDownload'] as const;

/** REALITY: the site it imitates, its keys, and what clients are given. */
export function RealityFields() {
  const { t } = useTranslation('inboundEditor');
  const call = useCall();
  const { edit, editMany } = useEditing();
  // The core reads it in any letter case, and writes it in its own.
  const maxTimeDiff = useDraftState(({ draft }) =>
    'maxTimeDiff' in objectAt(draft, AT) ? 'maxTimeDiff' : 'maxTimediff',
  );
  const makePair = async (): Promise<void> => {
    const { privateKey, publicKey } = await call(getNewX25519Cert, {});
    editMany({ [`${AT}.privateKey`]: privateKey, [`${AT}.settings.publicKey`]: publicKey });
  };
  const makeSignature = async (): Promise<void> => {
    const { seed, verify } = await call(getNewmldsa65, {});
    editMany({ [`${AT}.mldsa65Seed`]: seed, [`${AT}.settings.mldsa65Verify`]: verify });
  };
  return (
    <>
      <FieldsGrid>
        <TextAt path={`${AT}.target`} name="target" hint="target" placeholder="example.com:443" />
        <ListAt path={`${AT}.serverNames`} name="serverNames" hint="serverNames" />
      </FieldsGrid>
      <TargetScan
        onUse={({ target, serverNames }) =>
          editMany({ [`${AT}.target`]: target, [`${AT}.serverNames`]: [...serverNames] })
        }
      />
      <FieldsGrid>
        <TextAt
          path={`${AT}.privateKey`}
          name="privateKey"
          action={<GenerateButton run={makePair}>{t('generate.pair')}</GenerateButton>}
        />
        <TextAt path={`${AT}.settings.publicKey`} name="publicKey" />
        <ListAt path={`${AT}.shortIds`} name="shortIds" hint="shortIds" />
        <div>
          <GenerateButton run={() => edit(`${AT}.shortIds`, [randomHex(4), randomHex(8)])}>
            {t('generate.shortIds')}
          </GenerateButton>
        </div>
        <TextAt
          path={`${AT}.mldsa65Seed`}
          name="mldsaSeed"
          isAbsentWhenEmpty
          action={<GenerateButton run={makeSignature}>{t('generate.pair')}</GenerateButton>}
        />
        <TextAt path={`${AT}.settings.mldsa65Verify`} name="mldsaVerify" isAbsentWhenEmpty />
        <ChoiceAt path={`${AT}.settings.fingerprint`} name="fingerprint" options={FINGERPRINTS} />
        <TextAt path={`${AT}.settings.spiderX`} name="spiderX" />
        <TextAt
          path={`${AT}.minClientVer`}
          name="minClientVersion"
          hint="minClientVersion"
          placeholder="26.3.27"
          isAbsentWhenEmpty
        />
        <TextAt path={`${AT}.maxClientVer`} name="maxClientVersion" isAbsentWhenEmpty />
        <NumberAt path={`${AT}.${maxTimeDiff}`} name="maxTimeDifference" hint="milliseconds" />
        <NumberAt path={`${AT}.xver`} name="proxyProtocol" max={2} />
        <SwitchAt path={`${AT}.show`} name="showDebug" />
      </FieldsGrid>
      {LIMITS.map((name) => (
        <Fieldset key={name} legend={t(`reality.${name}`)} variant="default">
          <SimpleGrid cols={{ base: 1, sm: 3 }}>
            <SizeAt path={`${AT}.${name}.afterBytes`} name="afterBytes" hint="coreChoice" />
            <SizeAt path={`${AT}.${name}.bytesPerSec`} name="bytesPerSecond" hint="perSecondOrNone" />
            <SizeAt path={`${AT}.${name}.burstBytesPerSec`} name="burstBytesPerSecond" hint="coreChoice" />
          </SimpleGrid>
        </Fieldset>
      ))}
    </>
  );
}
