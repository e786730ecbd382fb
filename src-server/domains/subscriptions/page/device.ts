/** Systems whose apps the page knows. */
export const SYSTEMS = ['android', 'ios', 'windows', 'macos', 'linux'] as const;
export type System = (typeof SYSTEMS)[number];

/** Makers' names, the same in every language. */
export const SYSTEM_NAMES: Readonly<Record<System, string>> = {
  android: 'Android',
  ios: 'iPhone, iPad',
  windows: 'Windows',
  macos: 'macOS',
  linux: 'Linux',
};

/** Longest part of a User-Agent that is looked at; it comes from strangers. */
const MAX_AGENT = 512;
/** In this order: phones name the system that theirs was made of, too. */
const SIGNS: readonly (readonly [RegExp, System])[] = [
  [/android|\bcros\b/i, 'android'],
  [/iphone|ipad|ipod/i, 'ios'],
  [/windows/i, 'windows'],
  [/macintosh|mac os x/i, 'macos'],
  [/linux|x11/i, 'linux'],
];

/** The asked system, else the one that the browser runs on; most of those that do not say are phones. */
export function systemOf(asked: string, agent: string): System {
  const known = SYSTEMS.find((system) => system === asked);
  const start = agent.slice(0, MAX_AGENT);
  return known ?? SIGNS.find(([sign]) => sign.test(start))?.[1] ?? 'android';
}
