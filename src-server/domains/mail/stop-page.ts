import { createHash } from 'node:crypto';
import { escapeMarkup } from '../subscriptions/page/markup.ts';
import type { PageLanguage } from '../subscriptions/page/page-texts.ts';

interface Texts {
  title: string;
  on: string;
  stopped: string;
  stop: string;
  resume: string;
}

const TEXTS: Readonly<Record<PageLanguage, Texts>> = {
  en: {
    title: 'E-mails about your access',
    on: 'You receive e-mails about your access.',
    stopped: 'You receive no more e-mails about your access.',
    stop: 'Stop them',
    resume: 'Receive them again',
  },
  fa: {
    title: 'ایمیل‌های دسترسی شما',
    on: 'شما ایمیل‌های مربوط به دسترسی خود را دریافت می‌کنید.',
    stopped: 'دیگر ایمیلی دربارهٔ دسترسی خود دریافت نمی‌کنید.',
    stop: 'توقف این ایمیل‌ها',
    resume: 'دریافت دوبارهٔ ایمیل‌ها',
  },
  ru: {
    title: 'Письма о вашем доступе',
    on: 'Вы получаете письма о своём доступе.',
    stopped: 'Вы больше не получаете писем о своём доступе.',
    stop: 'Больше не присылать',
    resume: 'Присылать снова',
  },
  zh: {
    title: '接入通知邮件',
    on: '您会收到有关您的接入的邮件。',
    stopped: '您将不再收到有关您的接入的邮件。',
    stop: '停止接收',
    resume: '重新接收',
  },
};

const STYLE =
  ':root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:3rem auto;padding:0 1rem}' +
  'h1{font-size:1.4rem}button{font:inherit;padding:.6rem 1.2rem}';

/** No external content; the only form posts to the page's own address. */
export const STOP_PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Opening it changes nothing, because link scanners open it, too. */
export function stopPage(isStopped: boolean, language: PageLanguage): string {
  const { title, on, stopped, stop, resume } = TEXTS[language];
  const [state, action, button] = isStopped ? [stopped, '?on=1', resume] : [on, '?', stop];
  return (
    `<!doctype html><html lang="${language}" dir="${language === 'fa' ? 'rtl' : 'ltr'}"><head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">' +
    `<meta name="referrer" content="no-referrer"><title>${escapeMarkup(title)}</title><style>${STYLE}</style></head>` +
    `<body><main><h1>${escapeMarkup(title)}</h1><p>${escapeMarkup(state)}</p>` +
    `<form method="post" action="${action}"><button>${escapeMarkup(button)}</button></form></main></body></html>`
  );
}
