import { createHash } from 'node:crypto';
import { renderSVG } from 'uqr';
import { importButtons } from './import-buttons.ts';
import { PAGE_STYLE } from './page-style.ts';
import { LANGUAGE_NAMES, PAGE_TEXTS, type PageLanguage, type PageTexts } from './page-texts.ts';
import type { InfoView } from './present.ts';

/** Bytes that a QR code of the lowest correction level holds. */
const QR_BYTES = 2_953;

/** No script, nothing from elsewhere: the one style is named by its hash. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(PAGE_STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Characters of the list of links, so that the page stays below 60 kB; codes are drawn while there is room. */
const LIST_LENGTH = 36_000;
/** Longer links have codes that no camera reads off a phone's screen. */
const READABLE_QR = 400;

/** A link of the subscription, with its name. */
export interface PageLink {
  name: string;
  text: string;
}

/** The page that a subscriber sees in a browser: complete without scripts. */
export function renderInfoPage(
  view: InfoView,
  { language, nowMs, links }: { language: PageLanguage; nowMs: number; links: readonly PageLink[] },
): string {
  const texts = PAGE_TEXTS[language];
  const usedBytes = view.uploadByte + view.downloadByte;
  const isOver = view.totalByte > 0 && usedBytes >= view.totalByte;
  const isPast = view.expire > 0 && view.expire * 1000 <= nowMs;
  const isActive = view.enabled && !isOver && !isPast;
  const isUnlimited = isActive && view.totalByte === 0 && view.expire === 0;
  const status = isUnlimited ? texts.unlimited : isActive ? texts.active : texts.inactive;
  const day = dateText(language, view.datepicker, { dateStyle: 'long' });
  const moment = dateText(language, view.datepicker, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  const name = view.subTitle === '' ? texts.title : view.subTitle;
  const fact = (label: string, value: string) => `<div><dt>${esc(label)}</dt><dd><bdi>${esc(value)}</bdi></dd></div>`;
  const bar =
    view.totalByte === 0
      ? ''
      : `<progress max="100" value="${Math.min(100, (usedBytes / view.totalByte) * 100).toFixed(1)}"></progress>`;
  const others = [
    ['JSON', view.subJsonUrl],
    ['YAML', view.subYamlUrl],
  ].filter(([, url]) => url !== '');
  return `<!doctype html>
<html lang="${language}" dir="${language === 'fa' ? 'rtl' : 'ltr'}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><meta name="referrer" content="no-referrer"><meta name="color-scheme" content="light dark">
<title>${esc(name)}</title><style>${PAGE_STYLE}</style></head>
<body><main>
<header><div><h1><bdi>${esc(name)}</bdi></h1><p class="who"><bdi>${esc(view.emails.join(', '))}</bdi></p></div>
<span class="tag ${isActive ? 'on' : 'off'}">${esc(status)}${view.isOnline ? ` · ${esc(texts.online)}` : ''}</span></header>
${view.announce === '' ? '' : `<p class="note"><bdi>${esc(view.announce)}</bdi></p>`}
<section><p class="usage"><strong><bdi>${esc(view.used)}</bdi></strong> ${esc(texts.of)} <bdi>${esc(view.total)}</bdi></p>${bar}
<dl>${view.remained === '' ? '' : fact(texts.remaining, view.remained)}${fact(texts.download, view.download)}${fact(texts.upload, view.upload)}${fact(texts.expires, view.expire === 0 ? texts.never : day(view.expire * 1000))}${fact(texts.lastOnline, view.lastOnline === 0 ? texts.notYet : `${moment(view.lastOnline)} UTC`)}</dl></section>
<section class="link"><div><h2>${esc(texts.link)}</h2><p>${esc(texts.linkHint)}</p><code dir="ltr">${esc(view.subUrl)}</code></div>
${qrOf(view.subUrl) ?? `<p>${esc(texts.qrTooLong)}</p>`}</section>
<section><h2>${esc(texts.addTo)}</h2><ul class="apps">${importButtons(view.subUrl, view.sId, view.subTitle)
    .map(
      ({ app, platforms, address }) =>
        `<li><a href="${esc(address)}"><b>${app}</b><small>${platforms}</small></a></li>`,
    )
    .join('')}</ul></section>
${others.length === 0 ? '' : `<details><summary>${esc(texts.formats)}</summary>${others.map(([kind, url]) => `<p>${kind}</p><code dir="ltr">${esc(url ?? '')}</code>`).join('')}</details>`}
${linkList(links, texts)}
<footer>${view.subSupportUrl === '' ? '' : `<a href="${esc(view.subSupportUrl)}" rel="noreferrer">${esc(texts.support)}</a>`}
<nav>${LANGUAGE_NAMES.map(([code, own]) => `<a lang="${code}" href="?html=1&amp;lang=${code}"${code === language ? ' aria-current="true"' : ''}>${own}</a>`).join('')}</nav></footer>
</main></body></html>`;
}

function linkList(links: readonly PageLink[], texts: PageTexts): string {
  if (links.length === 0) return '';
  let list = '';
  let shown = 0;
  for (const { name, text } of links) {
    const entry = `<p><bdi>${esc(name)}</bdi></p><code dir="ltr">${esc(text)}</code>`;
    if (list.length + entry.length > LIST_LENGTH) break;
    const code = text.length <= READABLE_QR ? (qrOf(text) ?? '') : '';
    list += list.length + entry.length + code.length > LIST_LENGTH / 2 ? entry : entry + code;
    shown += 1;
  }
  const rest = shown < links.length ? `<p>${esc(texts.moreLinks)}</p>` : '';
  return `<details><summary>${esc(texts.links)} (${links.length})</summary>${list}${rest}</details>`;
}

/** In the reader's language and the calendar that the operator chose. */
function dateText(language: PageLanguage, datepicker: string, how: Intl.DateTimeFormatOptions) {
  const calendar = datepicker === 'gregorian' ? 'gregory' : 'persian';
  const format = new Intl.DateTimeFormat(language, { calendar, ...how });
  return (atMs: number): string => (Math.abs(atMs) <= 8.64e15 ? format.format(atMs) : '∞');
}

function qrOf(text: string): string | null {
  if (Buffer.byteLength(text) > QR_BYTES) return null;
  return `<div class="qr" role="img" aria-label="QR">${renderSVG(text, { ecc: 'L', border: 2 })}</div>`;
}

function esc(text: string): string {
  return text.replaceAll(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
