import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core';
import { IconUserCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { LANGUAGES, type Language } from '../../i18n/i18n.ts';
import { chooseLanguage } from '../../ui/choose-language.ts';
import { useSignOut } from './use-sign-out.ts';

const SCHEMES = ['auto', 'light', 'dark'] as const;

/** Theme, language and sign-out. */
export function AccountMenu() {
  const { t, i18n } = useTranslation('shell');
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const signOut = useSignOut();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={40} aria-label={t('account.label')}>
          <IconUserCircle size={22} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('theme.label')}</Menu.Label>
        {SCHEMES.map((scheme) => (
          <Menu.Item
            key={scheme}
            fw={scheme === colorScheme ? 700 : 400}
            aria-current={scheme === colorScheme}
            onClick={() => setColorScheme(scheme)}
          >
            {t(`theme.${scheme}`)}
          </Menu.Item>
        ))}
        <Menu.Label>{t('language')}</Menu.Label>
        {(Object.keys(LANGUAGES) as Language[]).map((language) => (
          <Menu.Item
            key={language}
            lang={language}
            fw={language === i18n.language ? 700 : 400}
            aria-current={language === i18n.language}
            onClick={() => void chooseLanguage(language)}
          >
            {LANGUAGES[language].name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={signOut}>{t('account.signOut')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
