import { useTranslation } from 'react-i18next';
import { SectionNav } from '../../ui/layout/section-nav.tsx';

const ORDER = [
  'state',
  'basics',
  'routing',
  'outbounds',
  'balancers',
  'dns',
  'subscriptions',
  'providers',
  'template',
] as const;
export type Section = (typeof ORDER)[number];

/** The sections of the core. */
export function CoreNav({ current }: { current: Section }) {
  const { t } = useTranslation('core');
  return (
    <SectionNav
      label={t('sections')}
      sections={ORDER}
      current={current}
      nameOf={(section) => t(`section.${section}`)}
      addressOf={(section) => `/panel/core/${section}`}
    />
  );
}
