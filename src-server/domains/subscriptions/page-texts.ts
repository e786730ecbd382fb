/** Languages of the page. */
export type PageLanguage = 'en' | 'fa' | 'ru' | 'zh';

const ENGLISH = {
  title: 'Subscription',
  active: 'Active',
  inactive: 'Inactive',
  unlimited: 'Unlimited',
  online: 'Online now',
  used: 'Used',
  of: 'of',
  remaining: 'Remaining',
  download: 'Downloaded',
  upload: 'Uploaded',
  expires: 'Valid until',
  never: 'No end date',
  lastOnline: 'Last online',
  notYet: 'Not yet',
  link: 'Your subscription link',
  linkHint: 'Paste it into your app, or scan the code.',
  qr: 'QR code',
  qrTooLong: 'This link is too long for a QR code.',
  downloadFile: 'Download',
  addTo: 'Add to an app',
  support: 'Get help',
  formats: 'Other formats',
  links: 'Single links',
  moreLinks: 'More links are in the subscription.',
};
export type PageTexts = typeof ENGLISH;

export const PAGE_TEXTS: Readonly<Record<PageLanguage, PageTexts>> = {
  en: ENGLISH,
  fa: {
    title: 'اشتراک',
    active: 'فعال',
    inactive: 'غیرفعال',
    unlimited: 'نامحدود',
    online: 'اکنون آنلاین',
    used: 'مصرف‌شده',
    of: 'از',
    remaining: 'باقی‌مانده',
    download: 'دانلود',
    upload: 'آپلود',
    expires: 'معتبر تا',
    never: 'بدون تاریخ پایان',
    lastOnline: 'آخرین اتصال',
    notYet: 'هنوز نه',
    link: 'پیوند اشتراک شما',
    linkHint: 'آن را در برنامه وارد کنید یا کد را اسکن کنید.',
    qr: 'کد QR',
    downloadFile: 'دریافت پرونده',
    qrTooLong: 'این پیوند برای کد QR بیش از حد بلند است.',
    addTo: 'افزودن به برنامه',
    support: 'پشتیبانی',
    formats: 'قالب‌های دیگر',
    links: 'پیوندهای جداگانه',
    moreLinks: 'پیوندهای بیشتر در اشتراک هستند.',
  },
  ru: {
    title: 'Подписка',
    active: 'Активна',
    inactive: 'Неактивна',
    unlimited: 'Без ограничений',
    online: 'Сейчас в сети',
    used: 'Использовано',
    of: 'из',
    remaining: 'Осталось',
    download: 'Загружено',
    upload: 'Отправлено',
    expires: 'Действует до',
    never: 'Бессрочно',
    lastOnline: 'Последнее подключение',
    notYet: 'Ещё не было',
    link: 'Ссылка на подписку',
    linkHint: 'Вставьте её в приложение или отсканируйте код.',
    qr: 'QR-код',
    downloadFile: 'Скачать',
    qrTooLong: 'Ссылка слишком длинная для QR-кода.',
    addTo: 'Добавить в приложение',
    support: 'Поддержка',
    formats: 'Другие форматы',
    links: 'Отдельные ссылки',
    moreLinks: 'Остальные ссылки есть в подписке.',
  },
  zh: {
    title: '订阅',
    active: '有效',
    inactive: '未启用',
    unlimited: '不限量',
    online: '当前在线',
    used: '已用',
    of: '/',
    remaining: '剩余',
    download: '下载',
    upload: '上传',
    expires: '有效期至',
    never: '永久有效',
    lastOnline: '最近在线',
    notYet: '尚未连接',
    link: '订阅链接',
    linkHint: '粘贴到应用中，或扫描二维码。',
    qr: '二维码',
    downloadFile: '下载文件',
    qrTooLong: '链接过长，无法生成二维码。',
    addTo: '添加到应用',
    support: '获取帮助',
    formats: '其他格式',
    links: '单个链接',
    moreLinks: '其余链接包含在订阅中。',
  },
};

export const LANGUAGE_NAMES: readonly (readonly [PageLanguage, string])[] = [
  ['en', 'English'],
  ['fa', 'فارسی'],
  ['ru', 'Русский'],
  ['zh', '中文'],
];

/** The asked language, else the first of the browser's that the page knows, else English. */
export function pageLanguage(asked: string, acceptLanguage: string): PageLanguage {
  for (const entry of [asked, ...acceptLanguage.slice(0, 512).split(',')]) {
    const code = entry.trim().slice(0, 2).toLowerCase();
    const known = LANGUAGE_NAMES.find(([language]) => language === code);
    if (known !== undefined) return known[0];
  }
  return 'en';
}
