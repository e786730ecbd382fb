import { fillIdentity, formEncoded, type UsageTotals } from './present.ts';

/** Settings that appear in the headers of a subscription. */
export interface HeaderSettings {
  subUpdates: number;
  subTitle: string;
  subAnnounce: string;
  subSupportUrl: string;
  subProfileUrl: string;
  subEnableRouting: boolean;
  subRoutingRules: string;
}

/**
 * Headers for apps, in addition to the links.
 * @param identity the first client of the subscription, used for the placeholders
 * @param ownUrl address of this request, used as the web page when the operator has set none
 */
export function responseHeaders(
  usage: UsageTotals,
  identity: Parameters<typeof fillIdentity>[1],
  settings: HeaderSettings,
  ownUrl: string,
): Record<string, string> {
  const { upBytes, downBytes, quotaBytes, expiresAtMs } = usage;
  const headers: Record<string, string> = {
    'Subscription-Userinfo': `upload=${upBytes}; download=${downBytes}; total=${quotaBytes}; expire=${Math.floor(expiresAtMs / 1000)}`,
    'Profile-Update-Interval': String(settings.subUpdates),
    'Profile-Web-Page-Url': asciiUrl(fillIdentity(settings.subProfileUrl, identity, formEncoded) || ownUrl),
    'Routing-Enable': String(settings.subEnableRouting),
  };
  const title = fillIdentity(settings.subTitle, identity);
  const support = fillIdentity(settings.subSupportUrl, identity, formEncoded);
  const announce = fillIdentity(settings.subAnnounce, identity);
  if (title !== '') headers['Profile-Title'] = `base64:${base64(title)}`;
  if (support !== '') headers['Support-Url'] = asciiUrl(support);
  if (announce !== '') headers['Announce'] = `base64:${base64(announce)}`;
  if (settings.subRoutingRules.trim() !== '') headers['Routing'] = oneLine(settings.subRoutingRules);
  return headers;
}

/** Headers hold visible ASCII: everything else is percent-escaped. */
function asciiUrl(url: string): string {
  return url.toWellFormed().replaceAll(/[^\u0021-\u007e]+/g, encodeURIComponent);
}

/** Joins lines; characters that are invalid in a header are escaped. */
function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, '')
    .replaceAll(/[^\u0020-\u007e]+/g, encodeURIComponent)
    .trim();
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
