import { createHash } from 'node:crypto';
import type { InfoView, TimeEnd } from '../present.ts';
import { brandStyle } from './brand.ts';
import { systemOf } from './device.ts';
import { copyButton, linkLists, type PageLink } from './link-lists.ts';
import { cut, escapeMarkup as esc } from './markup.ts';
import { pageAddress, type PageState } from './page-address.ts';
import { PAGE_SCRIPT } from './page-script.ts';
import { PAGE_STYLE } from './page-style.ts';
import { LANGUAGE_NAMES, PAGE_TEXTS, type PageLanguage } from './page-texts.ts';
import { qrImage } from './qr-code.ts';
import { setupSteps } from './setup-steps.ts';
import { stateOf, usageCard } from './usage-card.ts';

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const [STYLE_HASH, SCRIPT_HASH] = [hashOf(PAGE_STYLE), hashOf(PAGE_SCRIPT)];

/** Most bytes of the whole page, for slow networks. */
const PAGE_BYTES = 29_500;
/** Longest texts shown in full. */
const [MAX_NAME, MAX_WHO, MAX_ANNOUNCE] = [200, 400, 4_000];

/** The operator's page design. */
export interface Brand {
  /** `#rrggbb`, empty = the page's default. */
  color: string;
  /** Data URL of a picture, empty = none. */
  picture: string;
}

/** Parameters from the address and the browser. */
export interface PageRequest {
  /** Language in the address; may be empty. */
  language: string;
  /** `Accept-Language`. */
  accepted: string;
  /** System in the address; may be empty. */
  system: string;
  /** `User-Agent`. */
  agent: string;
  /** The link whose QR code is requested; may be empty. */
  code: string;
  /** Number of the first single link shown; may be anything. */
  from: string;
}

interface PageChoice {
  language: PageLanguage;
  request: PageRequest;
  nowMs: number;
  /** IANA name, for dates. */
  timeZone: string;
  end: TimeEnd;
  brand: Brand;
}

/**
 * The page that a subscriber sees in a browser, with its policy: no external content, styles and script allowed by
 * hash.
 */
export function renderInfoPage(
  view: InfoView,
  links: readonly PageLink[],
  choice: PageChoice,
): { html: string; policy: string } {
  const { language, request, brand } = choice;
  const texts = PAGE_TEXTS[language];
  const system = systemOf(request.system, request.agent);
  const state: PageState = { language, requestedSystem: request.system === system ? system : '' };
  const name = cut(view.subTitle === '' ? texts.title : view.subTitle, MAX_NAME);
  const own = brandStyle(brand.color);
  const needsXray = links.length > 0 && links.every((link) => link.needsXray);
  const help =
    view.subSupportUrl === ''
      ? ''
      : `<a class="go" href="${esc(view.subSupportUrl)}" rel="noreferrer">${esc(texts.support)}</a>`;
  const before = `<!doctype html>
<html lang="${language}" dir="${language === 'fa' ? 'rtl' : 'ltr'}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><meta name="referrer" content="no-referrer"><meta name="color-scheme" content="light dark">
<title>${esc(name)}</title><style>${PAGE_STYLE}</style>${own === '' ? '' : `<style>${own}</style>`}</head>
<body><main>
${heading(view, name, choice)}
${view.announce === '' ? '' : `<p class="note" dir="auto">${esc(cut(view.announce, MAX_ANNOUNCE))}</p>`}
${usageCard(view, { ...choice, texts })}
${setupSteps({ ...view, needsXray }, { texts, state, system, name: view.subTitle === '' ? view.sId : name })}<section class="link"><div><h2>${esc(texts.link)}</h2><p class="soft">${esc(texts.linkHint)}</p><code dir="ltr">${esc(view.subUrl)}</code>${copyButton(texts)}</div>
${qrImage(view.subUrl) ?? `<p>${esc(texts.qrTooLong)}</p>`}</section>
`;
  const languages = LANGUAGE_NAMES.map(
    ([code, its]) =>
      `<a lang="${code}" href="${pageAddress({ ...state, language: code })}"${code === language ? ' aria-current="true"' : ''}>${its}</a>`,
  ).join('');
  const after = `<footer>${help}
<nav>${languages}<button type="button" class="theme" hidden aria-label="${esc(texts.theme)}" title="${esc(texts.theme)}">◐</button></nav><p class="told" role="status"></p></footer>
</main><script>${PAGE_SCRIPT}</script></body></html>`;
  const lists = linkLists(view, links, {
    state,
    texts,
    code: request.code,
    from: /^\d{1,6}$/.test(request.from) ? Number(request.from) : 0,
    bytes: PAGE_BYTES - Buffer.byteLength(before) - Buffer.byteLength(after),
  });
  return { html: before + lists + after, policy: policyOf(own) };
}

function heading(view: InfoView, name: string, { language, nowMs, end, brand }: PageChoice): string {
  const texts = PAGE_TEXTS[language];
  const { isActive, words } = stateOf(view, texts, nowMs, end);
  const picture = brand.picture === '' ? '' : `<img class="logo" alt="" src="${esc(brand.picture)}">`;
  return `<header>${picture}<div><h1><bdi>${esc(name)}</bdi></h1><p class="who"><bdi>${esc(cut(view.emails.join(', '), MAX_WHO))}</bdi></p></div>
<span class="tag ${isActive ? 'on' : 'off'}">${esc(words)}${view.isOnline ? ` · ${esc(texts.online)}` : ''}</span></header>
${isActive ? '' : `<p class="note ended">${esc(texts.ended)}</p>`}`;
}

function policyOf(ownStyle: string): string {
  return [
    "default-src 'none'",
    `style-src ${STYLE_HASH}${ownStyle === '' ? '' : ` ${hashOf(ownStyle)}`}`,
    `script-src ${SCRIPT_HASH}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
