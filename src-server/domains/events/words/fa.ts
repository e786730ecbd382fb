import type { LanguageWords } from './en.ts';

export const fa: LanguageWords = {
  kinds: {
    'core.crash': {
      title: 'هستهٔ پراکسی ناگهان از کار افتاد',
      lines: ['خطا: {error}'],
      many: 'ازکارافتادن هستهٔ پراکسی: {count} بار',
    },
    'cpu.high': { title: 'پردازنده در {percent} است', lines: [], many: 'پردازنده پرکار است' },
    'login.attempt': {
      title: 'یک ورود رد شد',
      lines: ['نام کاربری: {username}', 'نشانی: {address}', 'دلیل: {reason}'],
      many: 'ورودهای ردشده: {count}',
    },
    'node.down': { title: 'گره {name} در دسترس نیست', lines: ['خطا: {error}'], many: 'گره‌های خارج از دسترس: {count}' },
    'node.up': {
      title: 'گره {name} دوباره در دسترس است',
      lines: ['تأخیر: {latencyMs} میلی‌ثانیه'],
      many: 'گره‌هایی که دوباره در دسترس‌اند: {count}',
    },
    'outbound.down': {
      title: 'خروجی {tag} پاسخ نمی‌دهد',
      lines: ['خطا: {error}'],
      many: 'خروجی‌هایی که پاسخ نمی‌دهند: {count}',
    },
    'outbound.up': {
      title: 'خروجی {tag} دوباره پاسخ می‌دهد',
      lines: ['تأخیر: {delayMs} میلی‌ثانیه'],
      many: 'خروجی‌هایی که دوباره پاسخ می‌دهند: {count}',
    },
    'client.expiring': {
      title: 'کاربر {email} به‌زودی منقضی می‌شود',
      lines: ['معتبر تا {expiresAtMs}'],
      many: 'کاربرانی که به‌زودی منقضی می‌شوند: {count}',
    },
    'client.quota': {
      title: 'کاربر {email} {percent} حجم خود را مصرف کرده است',
      lines: ['مصرف: {usedBytes} از {quotaBytes}'],
      many: 'کاربرانی که حجمشان رو به پایان است: {count}',
    },
    'client.depleted': {
      title: 'حجم کاربر {email} تمام شد',
      lines: ['حجم: {quotaBytes}'],
      many: 'کاربرانی که حجمشان تمام شد: {count}',
    },
    'client.expired': {
      title: 'کاربر {email} منقضی شد',
      lines: ['معتبر تا {expiresAtMs}'],
      many: 'کاربرانی که منقضی شدند: {count}',
    },
    'client.addresses': {
      title: 'کاربر {email} از نشانی‌های بیش از حد مجاز استفاده می‌کند',
      lines: ['مجاز: {limit}', 'مسدودشده: {address}'],
      many: 'کاربرانی با نشانی‌های بیش از حد مجاز: {count}',
    },
    'client.link': {
      title: 'پیوند اشتراک برای {email} فرستاده می‌شود',
      lines: [],
      many: 'کاربرانی که پیوندشان فرستاده می‌شود: {count}',
    },
    'traffic.quarantined': {
      title: 'یک خوانش ترافیک بزرگ‌تر از آن است که درست باشد',
      lines: ['از: {subject}', 'ارسال: {upBytes}', 'دریافت: {downBytes}'],
      many: 'خوانش‌های ترافیک که بیش از حد بزرگ‌اند: {count}',
    },
    'directory.failed': {
      title: 'پیروی از دایرکتوری ممکن نیست',
      lines: ['خطا: {error}'],
      many: 'اجراهای ناموفق دایرکتوری: {count}',
    },
    'directory.held': {
      title: 'یک اجرای دایرکتوری در انتظار شماست',
      lines: ['غیرفعال می‌شوند: {disable}', 'جدا می‌شوند: {detach}', 'ساخته می‌شوند: {create}'],
      many: 'اجراهای دایرکتوری در انتظار: {count}',
    },
    'directory.resumed': {
      title: 'دایرکتوری دوباره دنبال می‌شود',
      lines: [],
      many: 'اجراهای ازسرگرفتهٔ دایرکتوری: {count}',
    },
    'backup.failed': {
      title: 'پشتیبان‌گیری ناموفق بود',
      lines: ['خطا: {error}'],
      many: 'پشتیبان‌گیری‌های ناموفق: {count}',
    },
    'certificate.failed': {
      title: 'گواهی {name} تمدید نشد',
      lines: ['خطا: {error}', 'معتبر تا {expiresAtMs}', 'تلاش بعدی: {nextTryAtMs}'],
      many: 'گواهی‌هایی که تمدید نشدند: {count}',
    },
    'certificate.expiring': {
      title: 'یک گواهی به‌زودی منقضی می‌شود: {name}',
      lines: ['معتبر تا {expiresAtMs}', 'روزهای مانده: {days}'],
      many: 'گواهی‌هایی که به‌زودی منقضی می‌شوند: {count}',
    },
    'update.core': {
      title: 'نسخهٔ {version} هستهٔ پراکسی آماده است',
      lines: ['نصب‌شده: {installed}'],
      many: 'نسخه‌های تازهٔ هسته: {count}',
    },
    'update.panel': {
      title: 'نسخهٔ {version} پنل آماده است',
      lines: ['نصب‌شده: {installed}'],
      many: 'نسخه‌های تازهٔ پنل: {count}',
    },
  },
  loginDone: { title: 'مدیر {username} وارد شد', lines: ['نشانی: {address}'], many: 'ورودها: {count}' },
  andMore: 'و {count} مورد دیگر',
  testTitle: 'پیام آزمایشی',
  testBody: 'پیام‌های پنل به اینجا می‌رسند.',
  clientFooter: 'این پیام را دریافت می‌کنید چون نشانی ایمیل شما نام دسترسی شماست.',
  linkTitle: 'پیوند اشتراک شما',
  linkHint: 'آن را در برنامه یا مرورگر باز کنید و به کسی ندهید: هر کس آن را داشته باشد از حجم شما مصرف می‌کند.',
  stopMails: 'برای توقف این پیام‌ها:',
};
