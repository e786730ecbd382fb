import { Menu, UnstyledButton } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { isHere, NAVIGATION } from './navigation.ts';
import classes from './shell.module.css';

/** Pages in the bar itself; the others are behind its last entry. */
const SHOWN = 5;

/** The navigation bar at the bottom of a phone's screen. */
export function BottomBar() {
  const { t } = useTranslation(['shell', 'words']);
  const { pathname } = useLocation();
  const others = NAVIGATION.slice(SHOWN);
  return (
    <nav className={classes['bottom']} aria-label={t('nav.label')}>
      {NAVIGATION.slice(0, SHOWN).map(({ path, name, icon: Icon }) => (
        <Link
          key={path}
          to={path}
          className={classes['bottomLink']}
          aria-current={isHere(path, pathname) ? 'page' : undefined}
        >
          <Icon size={22} aria-hidden />
          {t(name)}
        </Link>
      ))}
      {/* Over the page, so that a tap beside the menu closes it and hits nothing below. */}
      <Menu position="top-end" withOverlay>
        <Menu.Target>
          <UnstyledButton
            className={classes['bottomLink'] ?? ''}
            aria-current={others.some(({ path }) => isHere(path, pathname)) ? 'page' : undefined}
          >
            <IconDots size={22} aria-hidden />
            {t('words:more')}
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          {others.map(({ path, name, icon: Icon }) => (
            <Menu.Item key={path} component={Link} to={path} leftSection={<Icon size={20} />} mih={44}>
              {t(name)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </nav>
  );
}
