import {
  IconApi,
  IconChartBar,
  IconCpu,
  IconDoorEnter,
  IconFileText,
  IconHistory,
  IconInfoCircle,
  IconLayoutDashboard,
  IconPlugConnected,
  IconServer2,
  IconSettings,
  IconTags,
  IconUsers,
  IconWorldShare,
} from '@tabler/icons-react';

/** Pages of the sidebar, in order; `key` is pressed after `g`. A phone shows the first five, the rest behind "More". */
export const NAVIGATION = [
  { path: '/panel', name: 'nav.overview', icon: IconLayoutDashboard, key: 'o' },
  { path: '/panel/inbounds', name: 'nav.inbounds', icon: IconDoorEnter, key: 'i' },
  { path: '/panel/clients', name: 'nav.clients', icon: IconUsers, key: 'c' },
  { path: '/panel/traffic', name: 'nav.traffic', icon: IconChartBar, key: 't' },
  { path: '/panel/sessions', name: 'nav.sessions', icon: IconPlugConnected, key: 'v' },
  { path: '/panel/groups', name: 'nav.groups', icon: IconTags, key: 'g' },
  { path: '/panel/hosts', name: 'nav.hosts', icon: IconWorldShare, key: 'h' },
  { path: '/panel/nodes', name: 'nav.nodes', icon: IconServer2, key: 'n' },
  { path: '/panel/core', name: 'nav.core', icon: IconCpu, key: 'r' },
  { path: '/panel/journal', name: 'nav.journal', icon: IconHistory, key: 'j' },
  { path: '/panel/logs', name: 'nav.logs', icon: IconFileText, key: 'l' },
  { path: '/panel/settings', name: 'nav.settings', icon: IconSettings, key: 's' },
  { path: '/panel/api-reference', name: 'nav.apiReference', icon: IconApi, key: 'p' },
  { path: '/panel/about', name: 'nav.about', icon: IconInfoCircle, key: 'a' },
] as const;

/** Whether an address belongs to a page of the sidebar. */
export function isHere(path: string, here: string): boolean {
  return path === '/panel' ? here === '/panel' || here === '/panel/' : here.startsWith(path);
}
