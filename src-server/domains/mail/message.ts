import { hostname } from 'node:os';
import type { StoredEvent } from '../events/channel.ts';
import type { Settings } from '../settings/contract.ts';
import { eventLanguage, eventText, eventTime, wordsIn } from '../events/event-text.ts';

/** Subject and both bodies of a message. */
export interface MailText {
  subject: string;
  text: string;
  html: string;
  /** Address at which the reader opts out; empty = none. */
  stopUrl: string;
}

/** @param toClient set when the reader is the client, who has no use for the machine's name */
export function eventMail(
  event: StoredEvent,
  { tgLang: language, timeLocation }: Pick<Settings, 'tgLang' | 'timeLocation'>,
  toClient: { stopUrl: string } | null,
): MailText {
  const { title, body } = eventText(event, language, timeLocation);
  const footer =
    toClient === null
      ? `${hostname()} · ${eventTime(event.atMs, language, timeLocation)}`
      : wordsIn(language).clientFooter;
  return mailText(title, body, language, { footer, isNamed: toClient === null, stopUrl: toClient?.stopUrl ?? '' });
}

/** The message with a client's link. */
export function linkMail(link: string, language: string, stopUrl: string): MailText {
  const { linkTitle, linkHint, clientFooter } = wordsIn(language);
  return mailText(linkTitle, linkHint, language, { footer: clientFooter, isNamed: false, link, stopUrl });
}

export function testMail(language: string): MailText {
  const { testTitle, testBody } = wordsIn(language);
  return mailText(testTitle, testBody, language, { footer: hostname(), isNamed: true });
}

function mailText(
  title: string,
  body: string,
  language: string,
  how: { footer: string; isNamed: boolean; link?: string; stopUrl?: string },
): MailText {
  const { footer, isNamed, link = '', stopUrl = '' } = how;
  const { stopMails } = wordsIn(language);
  const code = eventLanguage(language);
  const lines = body.split('\n').filter((line) => line !== '');
  const direction = code === 'fa' ? 'rtl' : 'ltr';
  const paragraphs = lines.map((line) => `<p dir="auto">${escaped(line)}</p>`).join('');
  return {
    subject: isNamed ? `${hostname()} ${title}` : title,
    stopUrl,
    text: [
      title,
      '',
      ...(link === '' ? [] : [link, '']),
      ...lines,
      '',
      '-- ',
      footer,
      ...(stopUrl === '' ? [] : [stopMails, stopUrl]),
      '',
    ].join('\n'),
    html:
      `<!doctype html><html lang="${code}" dir="${direction}"><head><meta charset="utf-8"><title>${escaped(title)}</title></head>` +
      `<body style="font-family:sans-serif"><h2 dir="auto">${escaped(title)}</h2>${link === '' ? '' : linked(link)}${paragraphs}` +
      `<hr><p style="color:#555">${escaped(footer)}</p>` +
      `${stopUrl === '' ? '' : `<p style="color:#555">${escaped(stopMails)}</p>${linked(stopUrl)}`}</body></html>`,
  };
}

/** An address is left-to-right in any language. */
const linked = (url: string): string => `<p dir="ltr"><a href="${escaped(url)}">${escaped(url)}</a></p>`;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (mark) => ENTITIES[mark]!);
