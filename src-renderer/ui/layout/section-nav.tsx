import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import classes from './section-nav.module.css';

interface SectionNavProps<S extends string> {
  label: string;
  sections: readonly S[];
  /** None while all of them are searched. */
  current: S | null;
  nameOf: (section: S) => string;
  addressOf: (section: S) => string;
}

/** The sections of a page, each with its own address. */
export function SectionNav<S extends string>({ label, sections, current, nameOf, addressOf }: SectionNavProps<S>) {
  const nav = useRef<HTMLElement>(null);
  // On a phone the row is wider than the screen.
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [current]);
  return (
    <nav ref={nav} aria-label={label} className={classes['nav']}>
      {sections.map((section) => (
        <Link
          key={section}
          to={addressOf(section)}
          className={classes['link']}
          aria-current={section === current ? 'page' : undefined}
        >
          {nameOf(section)}
        </Link>
      ))}
    </nav>
  );
}
