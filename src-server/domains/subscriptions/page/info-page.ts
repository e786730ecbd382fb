import { createHash } from 'node:crypto';
import { importButtons } from './import-buttons.ts';
import { cut, escapeMarkup as esc } from './markup.ts';
import { copyButton, linkLists, type PageLink } from '../entries/link-lists.ts';
import { ownFigures } from '../own-figures.ts';
import { PAGE_SCRIPT } from './page-script.ts';
import { PAGE_STYLE } from './page-style.ts';
import { LANGUAGE_NAMES, PAGE_TEXTS, type PageLanguage } from './page-texts.ts';
import type { InfoView } from '../present.ts';
import { qrImage } from './qr-code.ts';

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Nothing from elsewhere: the one style and the one script are named by their hashes. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src ${hashOf(PAGE_STYLE)}`,
  `script-src ${hashOf(PAGE_SCRIPT)}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Bytes of the whole page, for slow networks. */
const PAGE_BYTES = 59_000;
/** Longest texts that are shown whole. */
const [MAX_NAME, MAX_WHO, MAX_ANNOUNCE] = [200, 400, 4_000];

interface PageChoice {
  language: PageLanguage;
  nowMs: number;
  /** IANA name, for dates. */
  timeZone: string;
  /** The link whose code is asked for: `json`, `yaml` or a number from 0; anything else = none. */
  code: string;
}

/** The page that a subscriber sees in a browser: without its script only the buttons that copy are missing. */
export function renderInfoPage(view: InfoView, links: readonly PageLink[], choice: PageChoice): string {
  const { language, nowMs, timeZone, code } = choice;
  const texts = PAGE_TEXTS[language];
  const usedBytes = view.uploadByte + view.downloadByte;
  const isOver = view.totalByte > 0 && usedBytes >= view.totalByte;
  const isPast = view.expire > 0 && view.expire * 1000 <= nowMs;
  const isActive = view.enabled && !isOver && !isPast;
  const isUnlimited = isActive && view.totalByte === 0 && view.expire === 0;
  const inactive = isPast ? texts.expired : isOver ? texts.depleted : texts.inactive;
  const status = isUnlimited ? texts.unlimited : isActive ? texts.active : inactive;
  const day = dateText(language, view.datepicker, { dateStyle: 'long', timeZone });
  const moment = dateText(language, view.datepicker, { dateStyle: 'medium', timeStyle: 'short', timeZone });
  const name = cut(view.subTitle === '' ? texts.title : view.subTitle, MAX_NAME);
  const figure = (text: string) => ownFigures(language, text);
  const fact = (label: string, value: string) =>
    `<div><dt>${esc(label)}</dt><dd><bdi>${esc(figure(value))}</bdi></dd></div>`;
  const bar =
    view.totalByte === 0
      ? ''
      : `<progress max="100" value="${Math.min(100, (usedBytes / view.totalByte) * 100).toFixed(1)}"></progress>`;
  const page = `<!doctype html>
<html lang="${language}" dir="${language === 'fa' ? 'rtl' : 'ltr'}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><meta name="referrer" content="no-referrer"><meta name="color-scheme" content="light dark">
<title>${esc(name)}</title><style>${PAGE_STYLE}</style></head>
<body><main>
<header><div><h1><bdi>${esc(name)}</bdi></h1><p class="who"><bdi>${esc(cut(view.emails.join(', '), MAX_WHO))}</bdi></p></div>
<span class="tag ${isActive ? 'on' : 'off'}">${esc(status)}${view.isOnline ? ` · ${esc(texts.online)}` : ''}</span></header>
${view.announce === '' ? '' : `<p class="note"><bdi>${esc(cut(view.announce, MAX_ANNOUNCE))}</bdi></p>`}
<section><p class="usage"><strong><bdi>${esc(figure(view.used))}</bdi></strong> ${esc(texts.of)} <bdi>${esc(figure(view.total))}</bdi></p>${bar}
<dl>${view.remained === '' ? '' : fact(texts.remaining, view.remained)}${fact(texts.download, view.download)}${fact(texts.upload, view.upload)}${fact(texts.expires, view.expire === 0 ? texts.never : day(view.expire * 1000))}${fact(texts.lastOnline, view.lastOnline === 0 ? texts.notYet : moment(view.lastOnline))}</dl></section>
<section class="link"><div><h2>${esc(texts.link)}</h2><p>${esc(texts.linkHint)}</p><code dir="ltr">${esc(view.subUrl)}</code>${copyButton(texts)}</div>
${qrImage(view.subUrl) ?? `<p>${esc(texts.qrTooLong)}</p>`}</section>
<section><h2>${esc(texts.addTo)}</h2><ul class="apps">${importButtons(view.subUrl, view.sId, view.subTitle)
    .map(
      ({ app, platforms, address }) =>
        `<li><a href="${esc(address)}"><b>${app}</b><small>${platforms}</small></a></li>`,
    )
    .join('')}</ul></section>
<footer>${view.subSupportUrl === '' ? '' : `<a href="${esc(view.subSupportUrl)}" rel="noreferrer">${esc(texts.support)}</a>`}
<nav>${LANGUAGE_NAMES.map(([code, own]) => `<a lang="${code}" href="?html=1&amp;lang=${code}"${code === language ? ' aria-current="true"' : ''}>${own}</a>`).join('')}</nav></footer>
</main><script>${PAGE_SCRIPT}</script></body></html>`;
  const place = page.indexOf('<footer>');
  const lists = linkLists(view, links, { texts, language, code, bytes: PAGE_BYTES - Buffer.byteLength(page) });
  return page.slice(0, place) + lists + page.slice(place);
}

/** In the reader's language; Persian in its own calendar, the others in the one that the operator chose. */
function dateText(language: PageLanguage, datepicker: string, how: Intl.DateTimeFormatOptions) {
  const calendar = datepicker === 'gregorian' && language !== 'fa' ? 'gregory' : 'persian';
  const format = new Intl.DateTimeFormat(language, { calendar, ...how });
  return (atMs: number): string => (Math.abs(atMs) <= 8.64e15 ? format.format(atMs) : '∞');
}
