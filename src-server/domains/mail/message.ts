import { hostname } from 'node:os';
import type { PanelEvent } from '../events/channel.ts';
import { eventLanguage, eventText, wordsIn } from '../events/event-text.ts';

/** Subject and both bodies of a message. */
export interface MailText {
  subject: string;
  text: string;
  html: string;
}

/** @param isToClient the client it concerns reads it, who has no use for the name of the machine */
export function eventMail(event: PanelEvent, language: string, isToClient: boolean): MailText {
  const { title, body } = eventText(event, language);
  const { clientFooter } = wordsIn(language);
  return mailText(title, body, language, { footer: isToClient ? clientFooter : hostname(), isNamed: !isToClient });
}

export function testMail(language: string): MailText {
  const { testTitle, testBody } = wordsIn(language);
  return mailText(testTitle, testBody, language, { footer: hostname(), isNamed: true });
}

function mailText(
  title: string,
  body: string,
  language: string,
  { footer, isNamed }: { footer: string; isNamed: boolean },
): MailText {
  const code = eventLanguage(language);
  const lines = body.split('\n').filter((line) => line !== '');
  const direction = code === 'fa' ? 'rtl' : 'ltr';
  const paragraphs = lines.map((line) => `<p dir="auto">${escaped(line)}</p>`).join('');
  return {
    subject: isNamed ? `${hostname()} ${title}` : title,
    text: [title, '', ...lines, '', '-- ', footer, ''].join('\n'),
    html:
      `<!doctype html><html lang="${code}" dir="${direction}"><head><meta charset="utf-8"><title>${escaped(title)}</title></head>` +
      `<body style="font-family:sans-serif"><h2 dir="auto">${escaped(title)}</h2>${paragraphs}` +
      `<hr><p style="color:#555">${escaped(footer)}</p></body></html>`,
  };
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (mark) => ENTITIES[mark]!);
