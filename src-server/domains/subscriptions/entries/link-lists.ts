import { cut, escapeMarkup as esc } from '../page/markup.ts';
import type { PageLanguage, PageTexts } from '../page/page-texts.ts';
import type { InfoView } from '../present.ts';
import { ownFigures } from '../own-figures.ts';
import { fitsCode, qrImage } from '../page/qr-code.ts';

/** Longest name of a link that is shown whole. */
const MAX_NAME = 160;
/** Room for what stands around a link and its code, name and words. */
const FRAME_BYTES = 2_000;

/** A link of the subscription, with its name. */
export interface PageLink {
  name: string;
  text: string;
}

interface ListChoice {
  texts: PageTexts;
  language: PageLanguage;
  /** The link whose code is asked for. */
  code: string;
  /** What the page has left. */
  bytes: number;
}

/** The other formats and the single links. Each has its code at an address of its own, so that the page stays small. */
export function linkLists(view: InfoView, links: readonly PageLink[], choice: ListChoice): string {
  const { language, texts, code } = choice;
  const formats = [
    { key: 'json', name: 'JSON', text: view.subJsonUrl, isDownload: true },
    { key: 'yaml', name: 'YAML', text: view.subYamlUrl, isDownload: true },
  ].filter(({ text }) => text !== '');
  const singles = links.map((link, at) => ({ ...link, key: String(at), isDownload: false }));
  const others = section(texts.formats, formats, choice);
  // The link that is asked for is there, however many stand before it.
  const asked = singles.filter(({ key }) => key === code);
  const ordered = [...asked, ...singles.filter(({ key }) => key !== code)];
  const heading = `${texts.links} (${ownFigures(language, String(links.length))})`;
  return others + section(heading, ordered, { ...choice, bytes: choice.bytes - Buffer.byteLength(others) });
}

/** Unseen until the page's script gives it something to do. */
export function copyButton({ copy, copied }: PageTexts): string {
  return `<button type="button" hidden data-done="${esc(copied)}">${esc(copy)}</button>`;
}

interface Row extends PageLink {
  key: string;
  isDownload: boolean;
}

function section(heading: string, rows: readonly Row[], choice: ListChoice): string {
  if (rows.length === 0) return '';
  const { texts, code } = choice;
  const isOpen = rows.some(({ key }) => key === code);
  const frame = (list: string) =>
    `<details${isOpen ? ' open' : ''}><summary>${esc(heading)}</summary>${list}</details>`;
  const more = `<p>${esc(texts.moreLinks)}</p>`;
  let left = choice.bytes - Buffer.byteLength(frame(more));
  let list = '';
  for (const row of rows) {
    const shown = rowOf(row, choice, left);
    left -= Buffer.byteLength(shown);
    if (left < 0) return frame(list + more);
    list += shown;
  }
  return frame(list);
}

function rowOf({ key, name, text, isDownload }: Row, { texts, language, code }: ListChoice, left: number): string {
  const own = `<code dir="ltr">${esc(text)}</code>`;
  const separator = text.includes('?') ? '&' : '?';
  const download = `<a href="${esc(`${text}${separator}view=raw`)}" rel="noreferrer">${esc(texts.downloadFile)}</a>`;
  const toCode = `<a href="?html=1&amp;lang=${language}&amp;code=${key}#code">${esc(texts.qr)}</a>`;
  const isAsked = key === code;
  const actions = [
    copyButton(texts),
    ...(isDownload ? [download] : []),
    ...(fitsCode(text) && !isAsked ? [toCode] : []),
  ];
  const tooLong = `<p>${esc(texts.qrTooLong)}</p>`;
  const drawn = (image: string) => (Buffer.byteLength(own + image) + FRAME_BYTES > left ? tooLong : image);
  const shown = isAsked ? drawn(qrImage(text) ?? tooLong) : fitsCode(text) ? '' : tooLong;
  return `<div class="row"${isAsked ? ' id="code"' : ''}><p><bdi>${esc(cut(name, MAX_NAME))}</bdi><span>${actions.join('')}</span></p>${own}${shown}</div>`;
}
