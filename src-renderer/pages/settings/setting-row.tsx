import { Badge, Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { SettingsView } from '#contract/settings';
import { LANGUAGES } from '../../i18n/i18n.ts';
import { effectOf, isSecretKey, type RowKey } from './sections.ts';
import { SettingControl } from './setting-control.tsx';
import { setSetting, useSettingsDraft } from './settings-draft.ts';
import classes from './settings.module.css';

interface SettingRowProps {
  name: RowKey;
  stored: SettingsView;
  /** Built-in value as text; absent for secrets. */
  standard: string | undefined;
}

/** One setting: its control, its default, whether it was changed, and what a change restarts. */
export function SettingRow({ name, stored, standard }: SettingRowProps) {
  const { t } = useTranslation('settings');
  const isTyped = useSettingsDraft((state) => name in state.changes);
  const value = useSettingsDraft((state) => state.changes[name]) ?? stored[name];
  const effect = effectOf(name);
  const forced = stored.startOptions[name];
  const hasDefault = standard !== undefined && !isSecretKey(name);
  const isStandard = !hasDefault || String(value) === standard;
  const handleDefault = (): void => {
    if (standard === undefined) return;
    const kind = typeof stored[name];
    setSetting(
      name,
      kind === 'boolean' ? standard === 'true' : kind === 'number' ? Number(standard) : standard,
      stored,
    );
  };
  return (
    <div className={classes['row']}>
      <SettingControl name={name} stored={stored} />
      <div className={classes['facts']}>
        {isTyped && (
          <Badge size="sm" variant="light" color="orange" c="var(--mantine-color-text)" tt="none">
            {t('changed')}
          </Badge>
        )}
        {forced !== undefined && (
          <bdi className={classes['forced']}>
            {t('startOption', { value: forced === '' ? t('empty') : String(forced) })}
          </bdi>
        )}
        {effect !== 'live' && (
          <Badge size="sm" variant="default" tt="none" maw="100%" title={t(`effect.${effect}`)}>
            {t(`effect.${effect}`)}
          </Badge>
        )}
        {hasDefault && <DefaultText standard={standard} />}
        {!isStandard && (
          <Button
            size="compact-xs"
            variant="subtle"
            onClick={handleDefault}
            aria-label={`${t('useDefault')}: ${t(`field.${name}`)}`}
          >
            {t('useDefault')}
          </Button>
        )}
      </div>
    </div>
  );
}

/** Long defaults are cut: the control shows them whole when they are in force. */
const SHOWN_CHARACTERS = 48;

function DefaultText({ standard }: { standard: string }) {
  const { t } = useTranslation('settings');
  const words: Record<string, string> = {
    '': t('empty'),
    true: t('on'),
    false: t('off'),
    gregorian: t('option.gregorian'),
    starttls: t('option.starttls'),
    'en-US': LANGUAGES.en.name,
  };
  const short = standard.length > SHOWN_CHARACTERS ? `${standard.slice(0, SHOWN_CHARACTERS)}…` : standard;
  return <bdi className={classes['value']}>{t('default', { value: words[standard] ?? short })}</bdi>;
}
