/** Why a certificate was not renewed, by code; the texts are those of the interface, see reasons.ts. */
export const CERTIFICATE_REASONS: Readonly<Record<'fa' | 'ru' | 'zh', Readonly<Record<string, string>>>> = {
  fa: {
    'certificate.private':
      'دایرکتوری {host} به {address} می‌رسد که نشانی شبکه‌ای داخلی است؛ اگر منظور همین است آن را مجاز کنید',
    'certificate.unreachable': 'مرجع صدور در دسترس نیست: {text}',
    'certificate.directory': 'نشانی پاسخ می‌دهد، ولی نه به‌عنوان دایرکتوری یک مرجع: {text}',
    'certificate.portTaken':
      'درگاه {port} در دست برنامهٔ دیگری است: آن را متوقف کنید یا نام را با چالش دیگری اثبات کنید',
    'certificate.portForbidden':
      'پنل اجازهٔ گوش‌دادن به درگاه {port} را ندارد: CAP_NET_BIND_SERVICE به آن بدهید یا چالش دیگری انتخاب کنید',
    'certificate.addressElsewhere': 'این دستگاه نشانی {address} را برای پاسخ به چالش ندارد',
    'certificate.portNoTls': 'خود پنل بدون TLS به درگاه {port} گوش می‌دهد: آنجا نمی‌تواند به چالش TLS-ALPN پاسخ دهد',
    'certificate.challengeMissing': 'مرجع چالش {challenge} را برای {name} ارائه نمی‌کند',
    'certificate.notReached':
      'مرجع به {name} روی درگاه {port} نمی‌رسد: درگاه را به اینترنت باز کنید و مطمئن شوید نام به اینجا می‌رسد. مرجع می‌گوید: {text}',
    'certificate.wrongAnswer':
      'دستگاه یا برنامهٔ دیگری به‌جای {name} پاسخ می‌دهد: مطمئن شوید نام به اینجا می‌رسد و چیزی در میان نیست. مرجع می‌گوید: {text}',
    'certificate.dns': 'نام {name} پیدا نمی‌شود یا رکورد آن هنوز نیست. مرجع می‌گوید: {text}',
    'certificate.caa': 'رکورد CAA برای {name} این مرجع را منع می‌کند. مرجع می‌گوید: {text}',
    'certificate.tls': 'پاسخ TLS برای {name} آن نیست که انتظار می‌رفت. مرجع می‌گوید: {text}',
    'certificate.rejectedName': 'مرجع یکی از نام‌ها را تأیید نمی‌کند: {text}',
    'certificate.rateLimited': 'مرجع فعلاً سفارش دیگری نمی‌پذیرد: {text}',
    'certificate.account': 'مرجع حساب را نمی‌پذیرد: {text}',
    'certificate.authority': 'مرجع اکنون نمی‌تواند پاسخ دهد: {text}',
    'certificate.refused': 'مرجع رد می‌کند: {text}',
    'certificate.tooSlow': 'مرجع در {minutes} دقیقه تصمیم نگرفت',
    'certificate.unusable': 'آنچه مرجع فرستاد گواهی این نام‌ها و این کلید نیست',
    'certificate.hookMissing':
      'برنامهٔ {hook} در پوشهٔ برنامه‌های DNS نیست، یا جز مالک کسان دیگری هم می‌توانند آن را تغییر دهند',
    'certificate.hookFailed': 'برنامهٔ {hook} با کد {code} پایان یافت؛ گفته‌هایش در گزارش هست',
    'certificate.hookSlow': 'برنامهٔ {hook} در {seconds} ثانیه پایان نیافت',
    'certificate.eabMissing': 'این مرجع حساب می‌خواهد: شناسهٔ کلید و کلید HMAC را که به شما داده وارد کنید',
    'certificate.notWritten': 'گواهی در پوشهٔ داده نوشته نمی‌شود: {text}',
  },
  ru: {
    'certificate.private':
      'каталог {host} ведёт на {address}, адрес внутренней сети; разрешите это, если так и задумано',
    'certificate.unreachable': 'центр недоступен: {text}',
    'certificate.directory': 'адрес отвечает, но не как каталог центра: {text}',
    'certificate.portTaken': 'порт {port} занят другой программой: остановите её или подтвердите имя другой проверкой',
    'certificate.portForbidden':
      'панели нельзя слушать порт {port}: дайте ей CAP_NET_BIND_SERVICE или выберите другую проверку',
    'certificate.addressElsewhere': 'у этой машины нет адреса {address} для ответа на проверку',
    'certificate.portNoTls': 'порт {port} слушает сама панель без TLS: ответить там на проверку TLS-ALPN она не может',
    'certificate.challengeMissing': 'центр не предлагает проверку {challenge} для {name}',
    'certificate.notReached':
      'центр не может соединиться с {name} на порту {port}: откройте порт для интернета и убедитесь, что имя ведёт сюда. Его ответ: {text}',
    'certificate.wrongAnswer':
      'за {name} отвечает другая машина или программа: убедитесь, что имя ведёт сюда и между ними ничего нет. Ответ центра: {text}',
    'certificate.dns': 'имя {name} не находится, или его записи ещё нет. Ответ центра: {text}',
    'certificate.caa': 'запись CAA имени {name} запрещает этому центру его заверять. Ответ центра: {text}',
    'certificate.tls': 'ответ TLS за {name} не тот, что ожидался. Ответ центра: {text}',
    'certificate.rejectedName': 'центр не заверяет одно из имён: {text}',
    'certificate.rateLimited': 'центр пока не принимает новых заказов: {text}',
    'certificate.account': 'центр не принимает учётную запись: {text}',
    'certificate.authority': 'центр сейчас не может ответить: {text}',
    'certificate.refused': 'центр отказывает: {text}',
    'certificate.tooSlow': 'центр не решил за {minutes}\u00a0мин',
    'certificate.unusable': 'центр прислал не сертификат для этих имён и этого ключа',
    'certificate.hookMissing': 'программы {hook} нет в папке программ DNS, или менять её может не только владелец',
    'certificate.hookFailed': 'программа {hook} завершилась с кодом {code}; её вывод — в журнале',
    'certificate.hookSlow': 'программа {hook} не завершилась за {seconds}\u00a0с',
    'certificate.eabMissing':
      'этому центру нужна учётная запись: введите идентификатор ключа и ключ HMAC, которые он выдал',
    'certificate.notWritten': 'сертификат не записывается в папку данных: {text}',
  },
  zh: {
    'certificate.private': '目录 {host} 指向内网地址 {address}；如果这是有意的，请允许',
    'certificate.unreachable': '无法连接证书机构：{text}',
    'certificate.directory': '该地址有响应，但不是证书机构的目录：{text}',
    'certificate.portTaken': '端口 {port} 被其他程序占用：请停止该程序，或改用其他验证方式',
    'certificate.portForbidden': '面板不能监听端口 {port}：请授予 CAP_NET_BIND_SERVICE，或改用其他验证方式',
    'certificate.addressElsewhere': '本机没有用于应答验证的地址 {address}',
    'certificate.portNoTls': '面板自己在端口 {port} 上以非 TLS 方式监听：无法在那里应答 TLS-ALPN 验证',
    'certificate.challengeMissing': '证书机构没有为 {name} 提供 {challenge} 验证',
    'certificate.notReached':
      '证书机构无法连接 {name} 的端口 {port}：请向互联网开放该端口，并确认域名指向本机。机构的说明：{text}',
    'certificate.wrongAnswer':
      '其他机器或程序在代替 {name} 应答：请确认域名指向本机且中间没有其他服务。机构的说明：{text}',
    'certificate.dns': '无法解析域名 {name}，或其记录尚未生效。机构的说明：{text}',
    'certificate.caa': '{name} 的 CAA 记录禁止此机构签发。机构的说明：{text}',
    'certificate.tls': '{name} 的 TLS 响应与预期不符。机构的说明：{text}',
    'certificate.rejectedName': '证书机构不认证其中一个域名：{text}',
    'certificate.rateLimited': '证书机构暂时不再接受申请：{text}',
    'certificate.account': '证书机构不接受该账户：{text}',
    'certificate.authority': '证书机构现在无法响应：{text}',
    'certificate.refused': '证书机构拒绝：{text}',
    'certificate.tooSlow': '证书机构在 {minutes} 分钟内没有作出决定',
    'certificate.unusable': '证书机构发来的不是这些域名和此密钥的证书',
    'certificate.hookMissing': '程序 {hook} 不在 DNS 程序文件夹中，或者不只有所有者可以修改它',
    'certificate.hookFailed': '程序 {hook} 以代码 {code} 结束；日志中有它的输出',
    'certificate.hookSlow': '程序 {hook} 在 {seconds} 秒内没有结束',
    'certificate.eabMissing': '此机构需要账户：请输入它提供的密钥 ID 和 HMAC 密钥',
    'certificate.notWritten': '无法将证书写入数据文件夹：{text}',
  },
};
