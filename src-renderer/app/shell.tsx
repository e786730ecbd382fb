import { ActionIcon, AppShell, Button, Group, NavLink, Text, Tooltip } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconLayoutSidebarLeftCollapse } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useLayoutEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, NavigationType, Outlet, useLocation, useNavigation, useNavigationType } from 'react-router';
import { desktopBridge } from '../api/desktop.ts';
import { bridgeEvents } from '../api/event-bridge.ts';
import { useTransport } from '../api/transport-context.tsx';
import { usePreferences } from '../stores/preferences.ts';
import { useUnderWay } from '../stores/under-way.ts';
import { ProductMark } from '../ui/product-mark.tsx';
import { AccountMenu } from './account/account-menu.tsx';
import { Bell } from './events/bell.tsx';
import { BottomBar } from './bottom-bar.tsx';
import { focusHeading, useHeadingFocus } from './focus/heading-focus.ts';
import { ConnectionBanner } from './banners/connection-banner.tsx';
import { JobsTray } from './jobs-tray.tsx';
import { isHere, NAVIGATION } from './navigation.ts';
import { PaletteButton } from './palette/palette-button.tsx';
import classes from './shell.module.css';
import { ShortcutHelp } from './shortcuts.tsx';
import { SignInAgain } from './account/sign-in-again.tsx';
import { later } from '../ui/notices/later.tsx';

// Only in the window, which has it on disk.
const ConnectionSwitcher = later(async () => (await import('./connection-switcher.tsx')).ConnectionSwitcher);
const StatusBanners = later(async () => (await import('./banners/status-banners.tsx')).StatusBanners);
const CalendarSetting = later(async () => (await import('./calendar-setting.tsx')).CalendarSetting);

/** The frame of every page behind sign-in. */
export function Shell() {
  const transport = useTransport();
  const cache = useQueryClient();
  const { t } = useTranslation('shell');
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  const { isSidebarNarrow, toggleSidebar } = usePreferences();
  useEffect(() => bridgeEvents(transport, cache), [transport, cache]);
  useTopOfPage();
  useHeadingFocus();
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: isSidebarNarrow ? 64 : 220, breakpoint: 'sm', collapsed: { mobile: true } }}
      footer={{ height: 60, collapsed: !isPhone }}
      padding="md"
    >
      <PageProgress />
      <AppShell.Header className={classes['header'] ?? ''}>
        <Button className={classes['skip'] ?? ''} onClick={focusHeading}>
          {t('skip')}
        </Button>
        <Group gap="xs" wrap="nowrap">
          <ProductMark size={26} />
          <Text fw={700} className={classes['product'] ?? ''}>
            {t('product')}
          </Text>
          {desktopBridge() !== null && (
            <Suspense fallback={null}>
              <ConnectionSwitcher />
            </Suspense>
          )}
        </Group>
        <Group gap={4} wrap="nowrap">
          <PaletteButton />
          <Bell />
          <JobsTray />
          <AccountMenu />
        </Group>
      </AppShell.Header>
      {!isPhone && (
        <AppShell.Navbar p="xs" aria-label={t('nav.label')}>
          <Links isNarrow={isSidebarNarrow} />
          <Tooltip label={t('nav.collapse')} position="right">
            <ActionIcon
              variant="subtle"
              color="gray"
              mt="auto"
              aria-label={t('nav.collapse')}
              aria-pressed={isSidebarNarrow}
              onClick={toggleSidebar}
            >
              <IconLayoutSidebarLeftCollapse size={18} />
            </ActionIcon>
          </Tooltip>
        </AppShell.Navbar>
      )}
      <AppShell.Main>
        <ConnectionBanner />
        <Suspense>
          <StatusBanners />
        </Suspense>
        <Outlet />
      </AppShell.Main>
      {isPhone && (
        <AppShell.Footer>
          <BottomBar />
        </AppShell.Footer>
      )}
      <ShortcutHelp />
      <SignInAgain />
      <Suspense>
        <CalendarSetting />
      </Suspense>
    </AppShell>
  );
}

/** A line at the top while the program of the next page or dialog is on its way: without it a click seems lost. */
function PageProgress() {
  const { t } = useTranslation('shell');
  const isPageThere = useNavigation().state === 'idle';
  const arePartsThere = useUnderWay(({ parts }) => parts === 0);
  if (isPageThere && arePartsThere) return null;
  return <div role="progressbar" aria-label={t('loading')} aria-busy="true" className={classes['progress'] ?? ''} />;
}

/** A new page begins at its top; on back and forward the browser restores the scroll position. */
function useTopOfPage(): void {
  const { pathname } = useLocation();
  const isNew = useNavigationType() !== NavigationType.Pop;
  useLayoutEffect(() => {
    if (isNew) window.scrollTo(0, 0);
    // Only on another page: opening a drawer changes the address too, and must not scroll.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [pathname]);
}

function Links({ isNarrow }: { isNarrow: boolean }) {
  const { t } = useTranslation('shell');
  const { pathname } = useLocation();
  return NAVIGATION.map(({ path, name, icon: Icon }) => (
    <Tooltip key={path} label={t(name)} position="right" disabled={!isNarrow}>
      <NavLink
        component={Link}
        to={path}
        active={isHere(path, pathname)}
        aria-current={isHere(path, pathname) ? 'page' : undefined}
        label={isNarrow ? undefined : t(name)}
        aria-label={t(name)}
        leftSection={<Icon size={20} />}
        className={classes['link'] ?? ''}
      />
    </Tooltip>
  ));
}
