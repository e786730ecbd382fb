/** Systems for which the page lists apps. */
export const SYSTEMS = ['android', 'ios', 'windows', 'macos', 'linux'] as const;
export type System = (typeof SYSTEMS)[number];

/** Brand names, the same in every language. */
export const SYSTEM_NAMES: Readonly<Record<System, string>> = {
  android: 'Android',
  ios: 'iPhone, iPad',
  windows: 'Windows',
  macos: 'macOS',
  linux: 'Linux',
};

/** Longest part of a User-Agent that is examined; it is untrusted. */
const MAX_AGENT = 512;
/** The order matters: phones also name the system that theirs is derived from. */
const SIGNS: readonly (readonly [RegExp, System])[] = [
  [/android|\bcros\b/i, 'android'],
  [/iphone|ipad|ipod/i, 'ios'],
  [/windows/i, 'windows'],
  [/macintosh|mac os x/i, 'macos'],
  [/linux|x11/i, 'linux'],
];

/** The requested system, otherwise the browser's; most browsers that do not name one are phones. */
export function systemOf(requested: string, agent: string): System {
  const known = SYSTEMS.find((system) => system === requested);
  const start = agent.slice(0, MAX_AGENT);
  return known ?? SIGNS.find(([sign]) => sign.test(start))?.[1] ?? 'android';
}
