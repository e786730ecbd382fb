import { Button, Group, Switch, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { ReachabilityChoices } from '../../../../src-main/bridge/maintenance.ts';
import { urlOf } from '../../../forms/url-of.ts';
import { TitledCard } from '../../../ui/layout/titled-card.tsx';
import { Hint } from '../../../ui/layout/hint.tsx';
import { NumberField } from '../../../forms/number-field.tsx';

interface SettingsProps {
  choices: ReachabilityChoices;
  /** @param part what changes in the latest choices */
  onChange: (part: (choices: ReachabilityChoices) => Partial<ReachabilityChoices>) => void;
}

const isWebUrl = (text: string): boolean => /^https?:$/.test(urlOf(text)?.protocol ?? '');

/** When inbounds are tried automatically, and what is fetched through them. */
export function ReachabilitySettings({ choices, onChange }: SettingsProps) {
  const { t } = useTranslation(['vantage', 'shell']);
  const [draft, setDraft] = useState(choices);
  const isDownload = isWebUrl(draft.downloadUrl);
  const isAddress = draft.addressUrl === '' || isWebUrl(draft.addressUrl);
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    const { everyMin, downloadUrl, addressUrl } = draft;
    if (isDownload && isAddress) onChange(() => ({ everyMin, downloadUrl, addressUrl }));
  };
  return (
    <TitledCard title={t('settings')}>
      <Hint>{t('explain')}</Hint>
      <Switch
        label={t('on')}
        description={t('onHint')}
        checked={choices.isOn}
        onChange={({ currentTarget: { checked } }) => onChange(() => ({ isOn: checked }))}
      />
      <form onSubmit={handleSubmit}>
        <Group align="start">
          <NumberField
            w={140}
            label={t('every')}
            min={15}
            max={10_080}
            value={draft.everyMin}
            onChange={(everyMin) => setDraft({ ...draft, everyMin })}
          />
          <TextInput
            w={360}
            dir="ltr"
            label={t('download')}
            value={draft.downloadUrl}
            error={isDownload ? null : t('noUrl')}
            onChange={(event) => setDraft({ ...draft, downloadUrl: event.currentTarget.value.trim() })}
          />
          <TextInput
            w={360}
            dir="ltr"
            label={t('address')}
            value={draft.addressUrl}
            error={isAddress ? null : t('noUrl')}
            onChange={(event) => setDraft({ ...draft, addressUrl: event.currentTarget.value.trim() })}
          />
          <Button type="submit" variant="default" mt={24}>
            {t('shell:save')}
          </Button>
        </Group>
      </form>
    </TitledCard>
  );
}
