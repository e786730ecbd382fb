import { createBrowserRouter, redirect, type RouteObject } from 'react-router';
import { BlockedPages } from '../forms/leave-blocker.tsx';
import { laterTextsLoaded } from '../i18n/i18n.ts';
import { NotLoaded } from '../ui/notices/later.tsx';
import { OverviewPage } from '../pages/overview/overview-page.tsx';
import { PageError } from './page-error.tsx';
import { Shell } from './shell.tsx';

/** For pages whose texts are not part of the first page. */
async function withLaterTexts<T>(page: Promise<T>): Promise<T> {
  await laterTextsLoaded();
  return page;
}

/** A page whose program does not arrive says so: the router would show none, as while the window starts. */
const orNotLoaded = ({ lazy, ...page }: RouteObject): RouteObject => ({
  ...page,
  ...(typeof lazy === 'function' && { lazy: () => lazy().catch(() => ({ Component: NotLoaded })) }),
  ErrorBoundary: PageError,
});

/** One entry per page of the shell: `path` below /panel, its chunk, and the text key of its name. */
const PAGES: RouteObject[] = [
  { index: true, Component: OverviewPage },
  {
    path: 'inbounds',
    lazy: async () => ({
      Component: (await withLaterTexts(import('../pages/inbounds/inbounds-page.tsx'))).InboundsPage,
    }),
  },
  {
    path: 'inbounds/:id',
    lazy: async () => ({
      Component: (await withLaterTexts(import('../pages/inbounds/editor/inbound-editor-page.tsx'))).InboundEditorPage,
    }),
  },
  {
    path: 'clients',
    lazy: async () => ({
      Component: (await withLaterTexts(import('../pages/clients/clients-page.tsx'))).ClientsPage,
    }),
  },
  {
    path: 'hosts',
    lazy: async () => ({ Component: (await withLaterTexts(import('../pages/hosts/hosts-page.tsx'))).HostsPage }),
  },
  {
    path: 'traffic',
    lazy: async () => ({
      Component: (await withLaterTexts(import('../pages/traffic/traffic-page.tsx'))).TrafficPage,
    }),
  },
  {
    path: 'sessions',
    lazy: async () => ({
      Component: (await withLaterTexts(import('../pages/sessions/sessions-page.tsx'))).SessionsPage,
    }),
  },
  {
    path: 'groups',
    lazy: async () => ({ Component: (await withLaterTexts(import('../pages/groups/groups-page.tsx'))).GroupsPage }),
  },
  {
    path: 'groups/plans',
    lazy: async () => ({ Component: (await withLaterTexts(import('../pages/plans/plans-page.tsx'))).PlansPage }),
  },
  {
    path: 'nodes',
    lazy: async () => ({ Component: (await withLaterTexts(import('../pages/nodes/nodes-page.tsx'))).NodesPage }),
  },
  {
    path: 'nodes/home',
    lazy: async () => ({
      Component: (await withLaterTexts(import('../pages/home/nodes/nodes-home-page.tsx'))).NodesHomePage,
    }),
  },
  {
    path: 'nodes/versions',
    lazy: async () => ({
      Component: (await withLaterTexts(import('../pages/nodes/versions/versions-page.tsx'))).VersionsPage,
    }),
  },
  {
    path: 'nodes/:id/drift',
    lazy: async () => ({ Component: (await withLaterTexts(import('../pages/nodes/drift/drift-page.tsx'))).DriftPage }),
  },
  {
    path: 'core/:section?',
    lazy: async () => ({ Component: (await withLaterTexts(import('../pages/core/core-page.tsx'))).CorePage }),
  },
  {
    path: 'settings/:section?',
    lazy: async () => ({
      Component: (await withLaterTexts(import('../pages/settings/settings-page.tsx'))).SettingsPage,
    }),
  },
  {
    path: 'journal/:section?',
    lazy: async () => ({
      Component: (await withLaterTexts(import('../pages/journal/journal-page.tsx'))).JournalPage,
    }),
  },
  {
    path: 'logs',
    lazy: async () => ({ Component: (await withLaterTexts(import('../pages/logs/logs-page.tsx'))).LogsPage }),
  },
  {
    path: 'api-reference',
    lazy: async () => ({
      Component: (await withLaterTexts(import('../pages/api-reference/api-reference-page.tsx'))).ApiReferencePage,
    }),
  },
  {
    path: 'about',
    lazy: async () => ({ Component: (await withLaterTexts(import('../pages/about/about-page.tsx'))).AboutPage }),
  },
  { path: '*', loader: () => redirect('/panel') },
];

/** Pages that exist only in the desktop window; the panel's sign-in page has no route there. */
const DESKTOP_PAGES: RouteObject[] = [
  { path: '/', loader: () => redirect('/panel') },
  {
    path: '/desktop/welcome',
    lazy: async () => ({
      Component: (await withLaterTexts(import('../pages/connections/welcome-page.tsx'))).WelcomePage,
    }),
  },
  {
    path: '/desktop/connections',
    lazy: async () => ({
      Component: (await withLaterTexts(import('../pages/connections/connections-page.tsx'))).ConnectionsPage,
    }),
  },
  {
    path: '/desktop/home',
    lazy: async () => ({ Component: (await withLaterTexts(import('../pages/home/home-page.tsx'))).HomePage }),
  },
  {
    path: '/desktop/several',
    lazy: async () => ({
      Component: (await withLaterTexts(import('../pages/home/bulk/bulk-page.tsx'))).BulkPage,
    }),
  },
  {
    path: '/desktop/transfer',
    lazy: async () => ({
      Component: (await withLaterTexts(import('../pages/home/transfer/transfer-page.tsx'))).TransferPage,
    }),
  },
  {
    path: '/desktop/compare',
    lazy: async () => ({
      Component: (await withLaterTexts(import('../pages/home/compare/compare-page.tsx'))).ComparePage,
    }),
  },
  {
    path: '/desktop/home/backups',
    lazy: async () => ({
      Component: (await withLaterTexts(import('../pages/home/backups/backups-page.tsx'))).BackupsPage,
    }),
  },
  {
    path: '/desktop/home/vantage',
    lazy: async () => ({
      Component: (await withLaterTexts(import('../pages/home/reachability/reachability-page.tsx'))).ReachabilityPage,
    }),
  },
  {
    path: '/desktop/lock',
    lazy: async () => ({ Component: (await withLaterTexts(import('../pages/lock/lock-page.tsx'))).LockPage }),
  },
  {
    path: '/desktop/stopped',
    lazy: async () => ({ Component: (await import('../pages/connections/stopped-page.tsx')).StoppedPage }),
  },
];

const WITHOUT_SHELL: RouteObject[] = [
  {
    path: '/',
    lazy: async () => ({ Component: (await import('../pages/sign-in/sign-in-page.tsx')).SignInPage }),
  },
  {
    path: '/panel/first-run',
    lazy: async () => ({
      Component: (await withLaterTexts(import('../pages/first-run/first-run-page.tsx'))).FirstRunPage,
    }),
  },
];

/** Routes of the interface below the panel's base path. */
export function createRoutes(basePath: string, isDesktop = false) {
  return createBrowserRouter(
    [
      {
        Component: BlockedPages,
        children: [
          ...[...(isDesktop ? DESKTOP_PAGES : []), ...WITHOUT_SHELL].map((page) => ({
            ...orNotLoaded(page),
            HydrateFallback: () => null,
          })),
          {
            path: '/panel',
            HydrateFallback: () => null,
            Component: Shell,
            ErrorBoundary: PageError,
            children: PAGES.map(orNotLoaded),
          },
          { path: '*', loader: () => redirect('/') },
        ],
      },
    ],
    { basename: basePath },
  );
}
