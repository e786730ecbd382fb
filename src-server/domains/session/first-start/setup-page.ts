/** Languages of the page, English first. */
export const SETUP_LANGUAGES = ['en', 'fa', 'ru', 'zh'] as const;
export type SetupLanguage = (typeof SETUP_LANGUAGES)[number];

const STYLE = `:root{color-scheme:light dark;--bg:#f3f5f8;--card:#fff;--text:#16202c;--soft:#566373;--line:#dfe4ea;--accent:#3b5bdb;--on-accent:#fff}
@media (prefers-color-scheme:dark){:root{--bg:#10151b;--card:#1a212a;--text:#e8edf3;--soft:#a3b0bf;--line:#2c3743;--accent:#91a7ff;--on-accent:#10151b}}
*{box-sizing:border-box;margin:0}
body{min-height:100vh;display:grid;place-items:center;padding:16px;background:var(--bg);color:var(--text);font:16px/1.5 system-ui,sans-serif}
main{width:100%;max-width:420px;display:grid;gap:16px;padding:28px;background:var(--card);border:1px solid var(--line);border-radius:14px}
p.name{font-weight:600;color:var(--accent)}h1{font-size:1.4rem;line-height:1.25}p{color:var(--soft)}
button{width:100%;padding:12px;border:0;border-radius:8px;background:var(--accent);color:var(--on-accent);font:inherit;font-weight:600;cursor:pointer}
button:focus-visible{outline:3px solid var(--accent);outline-offset:2px}`;

const ENGLISH = {
  title: 'Sign in to your new panel',
  once: 'This link signs this browser in. It works once.',
  signIn: 'Sign in',
  usedTitle: 'This link does not work any more',
  used: 'It was used already, or it is older than an hour, or the panel was restarted since. Sign in with the user name and password that the first start printed, or reset them on the command line of the machine that runs the panel.',
};
const TEXTS: Readonly<Record<SetupLanguage, typeof ENGLISH>> = {
  en: ENGLISH,
  fa: {
    title: 'ورود به پنل تازهٔ شما',
    once: 'این پیوند همین مرورگر را وارد می‌کند و تنها یک بار کار می‌کند.',
    signIn: 'ورود',
    usedTitle: 'این پیوند دیگر کار نمی‌کند',
    used: 'پیش‌تر به کار رفته، یا بیش از یک ساعت از آن گذشته، یا پنل پس از آن دوباره راه‌اندازی شده است. با نام کاربری و گذرواژه‌ای که نخستین اجرا چاپ کرد وارد شوید، یا آن‌ها را در خط فرمان دستگاهی که پنل روی آن اجرا می‌شود بازنشانی کنید.',
  },
  ru: {
    title: 'Вход в новую панель',
    once: 'Эта ссылка выполняет вход в этом браузере. Она действует один раз.',
    signIn: 'Войти',
    usedTitle: 'Эта ссылка больше не действует',
    used: 'Она уже использована, или ей больше часа, или панель с тех пор перезапускалась. Войдите с именем и паролем, показанными при первом запуске, или сбросьте их в командной строке машины, на которой работает панель.',
  },
  zh: {
    title: '登录您的新面板',
    once: '此链接会让这个浏览器登录，仅可使用一次。',
    signIn: '登录',
    usedTitle: '此链接已失效',
    used: '它已被使用，或已超过一小时，或面板在此之后重启过。请使用首次启动时显示的用户名和密码登录，或在运行面板的机器上用命令行重置。',
  },
};

/**
 * Page of a one-time link. Opening it does not use the link up (mail and chat programs open links, too); its button
 * does.
 */
export function setupPage(language: SetupLanguage): string {
  const { title, once, signIn } = TEXTS[language];
  return page(language, title, `<p>${once}</p>\n<form method="post"><button type="submit">${signIn}</button></form>`);
}

export function usedSetupPage(language: SetupLanguage): string {
  const { usedTitle, used } = TEXTS[language];
  return page(language, usedTitle, `<p>${used}</p>`);
}

function page(language: SetupLanguage, title: string, body: string): string {
  return `<!doctype html>
<html lang="${language}" dir="${language === 'fa' ? 'rtl' : 'ltr'}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><meta name="color-scheme" content="light dark"><link rel="icon" href="data:,"><title>${title}</title><style>${STYLE}</style></head>
<body><main><p class="name">Switchyard</p><h1>${title}</h1>
${body}
</main></body>
</html>
`;
}
