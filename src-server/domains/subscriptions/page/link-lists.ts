import { ownFigures } from '../own-figures.ts';
import type { InfoView } from '../present.ts';
import { cut, escapeMarkup as esc } from './markup.ts';
import { pageAddress, type PageState } from './page-address.ts';
import type { PageTexts } from './page-texts.ts';
import { fitsCode, qrImage } from './qr-code.ts';

/** Longest name of a link shown in full. */
const MAX_NAME = 160;
/** Space for the markup of a link, its QR code, name and texts. */
const FRAME_BYTES = 2_000;

/** A link of the subscription, with its name. */
export interface PageLink {
  name: string;
  text: string;
  /** It refuses apps on other engines. */
  needsXray: boolean;
}

export interface ListChoice {
  state: PageState;
  texts: PageTexts;
  /** The link whose QR code is requested: `json`, `yaml` or a number from 0; anything else = none. */
  code: string;
  /** Number of the first single link shown, from 0. */
  from: number;
  /** Bytes left on the page. */
  bytes: number;
}

/**
 * The other formats and the single links. Each has its QR code at a separate address, and links that do not fit go to
 * the next page, so that each page stays small.
 */
export function linkLists(view: InfoView, links: readonly PageLink[], choice: ListChoice): string {
  const { texts, code, from } = choice;
  const formats = [
    { key: 'json', name: 'JSON', text: view.subJsonUrl, isDownload: true },
    { key: 'yaml', name: 'YAML', text: view.subYamlUrl, isDownload: true },
  ].filter(({ text }) => text !== '');
  const others =
    formats.length === 0
      ? ''
      : folded(
          texts.formats,
          formats.map((row) => rowOf(row, choice, choice.bytes)).join(''),
          formats.some(({ key }) => key === code),
        );
  const singles = links.map((link, at) => ({ ...link, key: String(at), isDownload: false }));
  if (singles.length === 0) return others;
  const requestedAt = singles.findIndex(({ key }) => key === code);
  const start = requestedAt === -1 ? (from < singles.length ? from : 0) : requestedAt;
  return others + singleLinks(singles, start, { ...choice, bytes: choice.bytes - Buffer.byteLength(others) });
}

/** Hidden until the page's script makes it work. */
export function copyButton({ copy, copied }: PageTexts): string {
  return `<button type="button" hidden data-done="${esc(copied)}">${esc(copy)}</button>`;
}

interface Row extends Pick<PageLink, 'name' | 'text'> {
  key: string;
  isDownload: boolean;
}

function folded(heading: string, list: string, isOpen: boolean): string {
  return `<details${isOpen ? ' open' : ''}><summary>${esc(heading)}</summary>${list}</details>`;
}

function singleLinks(rows: readonly Row[], start: number, choice: ListChoice): string {
  const { state, texts, code } = choice;
  const heading = `${texts.links} (${ownFigures(state.language, String(rows.length))})`;
  const isOpen = start > 0 || rows.some(({ key }) => key === code);
  const way = (words: string, from: number) =>
    `<p><a href="${pageAddress(state, { from: String(from) }, 'links')}">${esc(words)}</a></p>`;
  const back = start === 0 ? '' : way(texts.firstLinks, 0);
  const frame = (list: string) => folded(heading, list, isOpen).replace('<details', '<details id="links"');
  let left = choice.bytes - Buffer.byteLength(frame(back + way(texts.moreLinks, rows.length)));
  let list = '';
  for (const [at, row] of rows.entries()) {
    if (at < start) continue;
    const whole = rowOf(row, choice, left);
    const isOver = Buffer.byteLength(whole) > left;
    if (isOver && at > start) return frame(list + way(texts.moreLinks, at) + back);
    // It would not fit on the next page either.
    const shown = isOver ? namedRow(row, `<p>${esc(texts.tooLong)}</p>`) : whole;
    left -= Buffer.byteLength(shown);
    list += shown;
  }
  return frame(list + back);
}

function rowOf({ key, name, text, isDownload }: Row, { texts, state, code }: ListChoice, left: number): string {
  const own = `<code dir="ltr">${esc(text)}</code>`;
  const separator = text.includes('?') ? '&' : '?';
  const download = `<a href="${esc(`${text}${separator}view=raw`)}" rel="noreferrer">${esc(texts.downloadFile)}</a>`;
  const toCode = `<a href="${pageAddress(state, { code: key }, 'code')}">${esc(texts.qr)}</a>`;
  const isRequested = key === code;
  const actions = [
    copyButton(texts),
    ...(isDownload ? [download] : []),
    ...(fitsCode(text) && !isRequested ? [toCode] : []),
  ];
  const tooLong = `<p>${esc(texts.qrTooLong)}</p>`;
  const drawn = (image: string) => (Buffer.byteLength(own + image) + FRAME_BYTES > left ? tooLong : image);
  const shown = isRequested ? drawn(qrImage(text) ?? tooLong) : fitsCode(text) ? '' : tooLong;
  return namedRow({ name, isRequested }, own + shown, actions.join(''));
}

function namedRow(
  { name, isRequested = false }: { name: string; isRequested?: boolean },
  content: string,
  actions = '',
): string {
  return `<div class="row"${isRequested ? ' id="code"' : ''}><p><bdi>${esc(cut(name, MAX_NAME))}</bdi><span>${actions}</span></p>${content}</div>`;
}
