import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import classes from './core.module.css';

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

/** The sections, each with an address of its own. */
export function SectionNav({ current }: { current: Section }) {
  const { t } = useTranslation('core');
  return (
    <nav aria-label={t('sections')} className={classes['nav']}>
      {ORDER.map((section) => (
        <Link
          key={section}
          to={`/panel/core/${section}`}
          className={classes['navLink']}
          aria-current={section === current ? 'page' : undefined}
          ref={section === current ? scrollIntoNav : undefined}
        >
          {t(`section.${section}`)}
        </Link>
      ))}
    </nav>
  );
}

/** On a phone the row is wider than the screen. */
function scrollIntoNav(link: HTMLAnchorElement | null): void {
  link?.scrollIntoView({ block: 'nearest', inline: 'center' });
}
