import type { System } from './device.ts';

/** What a subscription offers to apps. */
export interface Offered {
  /** The links. */
  subUrl: string;
  /** The YAML document, empty = there is none. */
  subYamlUrl: string;
  /** Every link refuses apps on other engines. */
  needsXray?: boolean;
}

/** An app that can read this subscription. */
export interface AppLinks {
  name: string;
  /** Download address. */
  install: string;
  /** Opens it with the subscription. */
  add: string;
}

interface Import {
  url: string;
  encoded: string;
  /** Name of the subscription, escaped for an address. */
  name: string;
}

interface App {
  name: string;
  /** The document it reads, if not the links. */
  reads?: 'yaml';
  /** It is not built on Xray. */
  hasOtherEngine?: true;
  install: Partial<Record<System, string>>;
  add: (to: Import) => string;
}

const play = (id: string): string => `https://play.google.com/store/apps/details?id=${id}`;
const store = (id: number): string => `https://apps.apple.com/app/id${id}`;
const releases = (repository: string): string => `https://github.com/${repository}/releases/latest`;

const HAPP = releases('Happ-proxy/happ-desktop');
const HIDDIFY = releases('hiddify/hiddify-app');
const KARING = releases('KaringX/karing');
const VERGE = releases('clash-verge-rev/clash-verge-rev');
const apple = (id: number) => ({ ios: store(id), macos: store(id) });

/** In page order. Each opens by its own URL scheme; an app without one is useless here. */
const APPS: readonly App[] = [
  {
    name: 'Happ',
    install: { android: play('com.happproxy'), ...apple(6_504_287_215), windows: HAPP, linux: HAPP },
    add: ({ url }) => `happ://add/${url}`,
  },
  {
    name: 'v2rayNG',
    install: { android: releases('2dust/v2rayNG') },
    add: ({ encoded }) => `v2rayng://install-config?url=${encoded}`,
  },
  {
    name: 'Streisand',
    install: apple(6_450_534_064),
    add: ({ encoded }) => `streisand://import/${encoded}`,
  },
  {
    name: 'Hiddify',
    hasOtherEngine: true,
    install: { android: HIDDIFY, ios: store(6_596_777_532), windows: HIDDIFY, macos: HIDDIFY, linux: HIDDIFY },
    add: ({ url, name }) => `hiddify://import/${url}#${name}`,
  },
  {
    name: 'V2Box',
    install: apple(6_446_814_690),
    add: ({ encoded, name }) => `v2box://install-sub?url=${encoded}&name=${name}`,
  },
  {
    name: 'FoXray',
    install: apple(6_448_898_396),
    add: ({ encoded, name }) => `foxray://yiguo.dev/sub/add/?url=${encoded}#${name}`,
  },
  {
    name: 'v2RayTun',
    install: { android: play('com.v2raytun.android'), ios: store(6_476_628_951) },
    add: ({ url }) => `v2raytun://import/${url}`,
  },
  {
    name: 'Shadowrocket',
    install: { ios: store(932_747_118) },
    add: ({ url, name }) => `shadowrocket://add/sub://${flagged(url)}?remark=${name}`,
  },
  {
    name: 'Karing',
    hasOtherEngine: true,
    install: { android: KARING, ios: store(6_472_431_552), windows: KARING, macos: KARING, linux: KARING },
    add: ({ encoded, name }) => `karing://install-config?url=${encoded}&name=${name}`,
  },
  {
    name: 'Clash Meta',
    reads: 'yaml',
    hasOtherEngine: true,
    install: { android: releases('MetaCubeX/ClashMetaForAndroid') },
    add: ({ encoded, name }) => `clashmeta://install-config?url=${encoded}&name=${name}`,
  },
  {
    name: 'Clash Verge',
    reads: 'yaml',
    hasOtherEngine: true,
    install: { windows: VERGE, macos: VERGE, linux: VERGE },
    add: ({ encoded, name }) => `clash://install-config?url=${encoded}&name=${name}`,
  },
];

/**
 * Apps of a system that can read this subscription, best first. @param name display name of the subscription in apps
 */
export function appsFor(system: System, { subUrl, subYamlUrl, needsXray = false }: Offered, name: string): AppLinks[] {
  return APPS.flatMap((app) => {
    const url = app.reads === 'yaml' ? subYamlUrl : subUrl;
    const install = app.install[system];
    if (install === undefined || url === '' || (needsXray && app.hasOtherEngine)) return [];
    const to = { url, encoded: encodeURIComponent(url), name: encodeURIComponent(name.toWellFormed()) };
    return [{ name: app.name, install, add: app.add(to) }];
  });
}

/** Shadowrocket expects the address in Base64, including the name. */
function flagged(url: string): string {
  return Buffer.from(`${url}${url.includes('?') ? '&' : '?'}flag=shadowrocket`).toString('base64');
}
