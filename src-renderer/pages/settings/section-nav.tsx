import { useTranslation } from 'react-i18next';
import { SectionNav } from '../../ui/layout/section-nav.tsx';
import { SHOWN_SECTIONS, type Section } from './sections.ts';

/** The sections of the settings. `current` is null while a search covers all of them. */
export function SettingsNav({ current }: { current: Section | null }) {
  const { t } = useTranslation('settings');
  return (
    <SectionNav
      label={t('sections')}
      sections={SHOWN_SECTIONS}
      current={current}
      nameOf={(section) => t(`section.${section}`)}
      addressOf={(section) => `/panel/settings/${section}`}
    />
  );
}
