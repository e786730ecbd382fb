import { useTranslation } from 'react-i18next';
import { SectionNav } from '../../ui/layout/section-nav.tsx';

const SECTIONS = ['groups', 'plans'] as const;

/** Groups and plans of clients: one entry in the sidebar. */
export function GroupSections({ current }: { current: (typeof SECTIONS)[number] }) {
  const { t } = useTranslation('plans');
  return (
    <SectionNav
      label={t('nav')}
      sections={SECTIONS}
      current={current}
      nameOf={(each) => (each === 'groups' ? t('groups') : t('title'))}
      addressOf={(each) => (each === 'groups' ? '/panel/groups' : '/panel/groups/plans')}
    />
  );
}
