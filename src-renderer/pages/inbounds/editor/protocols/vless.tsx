import { Alert, Select } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getNewVlessEnc } from '#contract/server';
import { useRead } from '../../../../api/use-read.ts';
import { readAt } from '../../../../forms/draft/json.ts';
import { useDraftState, useEditing } from '../parts/draft-context.tsx';
import { ORDER, TextAt } from '../parts/fields.tsx';
import { FieldsGrid } from '../parts/fields-grid.tsx';

/** VLESS: users are its clients; only its own encryption is set here. */
export function VlessFields() {
  return (
    <>
      <OpenTraffic />
      <EncryptionGenerator />
      <FieldsGrid>
        <TextAt path="settings.decryption" name="decryption" hint="decryption" />
        <TextAt path="settings.encryption" name="encryption" hint="encryption" />
      </FieldsGrid>
    </>
  );
}

/** VLESS itself encrypts nothing: warns while nothing around it does either. */
function OpenTraffic() {
  const { t } = useTranslation('inboundEditor');
  const isOpen = useDraftState(({ draft }) =>
    ['settings.decryption', 'streamSettings.security'].every((path) =>
      ['', 'none', undefined, null].includes(readAt(draft, path) as string | null | undefined),
    ),
  );
  return (
    isOpen && (
      <Alert color="yellow" title={t('openTraffic.title')}>
        {t('openTraffic.text')}
      </Alert>
    )
  );
}

/** Fresh key pairs for every mode, generated when the list is opened; choosing one fills both fields. */
function EncryptionGenerator() {
  const { t } = useTranslation('inboundEditor');
  const { editMany } = useEditing();
  const [isOpen, setOpen] = useState(false);
  const pairs = useRead(getNewVlessEnc, {}, ['keys', 'vlessEncryption', isOpen], {
    enabled: isOpen,
    staleTime: 0,
    gcTime: 0,
  });
  const auths = pairs.data?.auths ?? [];
  return (
    <Select
      label={t('generate.vlessEncryption')}
      description={t('generate.vlessEncryptionHint')}
      inputWrapperOrder={ORDER}
      placeholder={t('generate.choose')}
      data={[
        { value: 'none', label: t('generate.vlessNone') },
        ...auths.map(({ id, label }) => ({ value: id, label })),
      ]}
      value={null}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      nothingFoundMessage={pairs.error?.message}
      onChange={(id) => {
        const made = auths.find((one) => one.id === id);
        editMany({
          'settings.decryption': made?.decryption ?? 'none',
          'settings.encryption': made?.encryption ?? 'none',
        });
      }}
    />
  );
}
