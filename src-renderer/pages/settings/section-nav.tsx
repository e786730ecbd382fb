import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { SHOWN_SECTIONS, type Section } from './sections.ts';
import classes from './settings.module.css';

/** The sections, each with an address of its own. `current` is null while a search looks over all of them. */
export function SectionNav({ current }: { current: Section | null }) {
  const { t } = useTranslation('settings');
  return (
    <nav aria-label={t('sections')} className={classes['nav']}>
      {SHOWN_SECTIONS.map((section) => (
        <Link
          key={section}
          to={`/panel/settings/${section}`}
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
