import type { LanguageWords } from './en.ts';

export const ru: LanguageWords = {
  kinds: {
    'core.crash': {
      title: 'Сбой ядра прокси',
      lines: ['Ошибка: {error}'],
      many: 'Сбои ядра прокси: {count}',
    },
    'cpu.high': { title: 'Загрузка процессора {percent}', lines: [], many: 'Процессор загружен' },
    'login.attempt': {
      title: 'Во входе отказано',
      lines: ['Имя пользователя: {username}', 'Адрес: {address}', 'Причина: {reason}'],
      many: 'Отказы во входе: {count}',
    },
    'node.down': { title: 'Узел {name} недоступен', lines: ['Ошибка: {error}'], many: 'Недоступные узлы: {count}' },
    'node.up': {
      title: 'Узел {name} снова доступен',
      lines: ['Задержка: {latencyMs}\u00a0мс'],
      many: 'Узлы снова доступны: {count}',
    },
    'outbound.down': {
      title: 'Исходящее {tag} не отвечает',
      lines: ['Ошибка: {error}'],
      many: 'Исходящие не отвечают: {count}',
    },
    'outbound.up': {
      title: 'Исходящее {tag} снова отвечает',
      lines: ['Задержка: {delayMs}\u00a0мс'],
      many: 'Исходящие снова отвечают: {count}',
    },
    'client.expiring': {
      title: 'Срок {email} скоро истечёт',
      lines: ['Действует до {expiresAtMs}'],
      many: 'Клиенты, чей срок скоро истечёт: {count}',
    },
    'client.quota': {
      title: '{email}: израсходовано {percent} трафика',
      lines: ['Израсходовано: {usedBytes} из {quotaBytes}'],
      many: 'Клиенты, у которых кончается трафик: {count}',
    },
    'client.depleted': {
      title: '{email}: трафик израсходован',
      lines: ['Трафик: {quotaBytes}'],
      many: 'Клиенты, израсходовавшие трафик: {count}',
    },
    'client.expired': {
      title: 'Срок {email} истёк',
      lines: ['Действовал до {expiresAtMs}'],
      many: 'Клиенты с истёкшим сроком: {count}',
    },
    'client.addresses': {
      title: '{email}: адресов больше, чем разрешено',
      lines: ['Разрешено: {limit}', 'Заблокирован: {address}'],
      many: 'Клиенты с лишними адресами: {count}',
    },
    'client.link': {
      title: '{email} получает ссылку на подписку',
      lines: [],
      many: 'Клиенты, получающие ссылку: {count}',
    },
    'traffic.quarantined': {
      title: 'Показание трафика слишком велико',
      lines: ['Чьё: {subject}', 'Отправлено: {upBytes}', 'Получено: {downBytes}'],
      many: 'Слишком большие показания трафика: {count}',
    },
    'directory.failed': {
      title: 'Каталог не удаётся прочитать',
      lines: ['Ошибка: {error}'],
      many: 'Неудачные синхронизации каталога: {count}',
    },
    'directory.held': {
      title: 'Синхронизация каталога ждёт вас',
      lines: ['Будут отключены: {disable}', 'Будут отвязаны: {detach}', 'Будут созданы: {create}'],
      many: 'Ожидающие синхронизации каталога: {count}',
    },
    'directory.resumed': {
      title: 'Каталог снова читается',
      lines: [],
      many: 'Возобновлённые синхронизации каталога: {count}',
    },
    'backup.failed': {
      title: 'Резервная копия не создана',
      lines: ['Ошибка: {error}'],
      many: 'Несозданные резервные копии: {count}',
    },
    'certificate.failed': {
      title: 'Не удалось продлить сертификат {name}',
      lines: ['Ошибка: {error}', 'Действует до {expiresAtMs}', 'Следующая попытка: {nextTryAtMs}'],
      many: 'Сертификаты, которые не удалось продлить: {count}',
    },
    'certificate.expiring': {
      title: 'Скоро истекает сертификат: {name}',
      lines: ['Действует до {expiresAtMs}', 'Осталось дней: {days}'],
      many: 'Скоро истекают сертификаты: {count}',
    },
    'update.core': {
      title: 'Доступна версия {version} ядра прокси',
      lines: ['Установлена: {installed}'],
      many: 'Новые версии ядра прокси: {count}',
    },
    'update.panel': {
      title: 'Доступна версия {version} панели',
      lines: ['Установлена: {installed}'],
      many: 'Новые версии панели: {count}',
    },
  },
  loginDone: { title: 'Вход: {username}', lines: ['Адрес: {address}'], many: 'Входы: {count}' },
  andMore: 'и ещё {count}',
  testTitle: 'Проверочное сообщение',
  testBody: 'Сообщения панели приходят сюда.',
  clientFooter: 'Вы получили это письмо, потому что ваш адрес — имя вашего доступа.',
  linkTitle: 'Ваша ссылка на подписку',
  linkHint: 'Откройте её в приложении или браузере и никому не передавайте: кто её знает, расходует ваш трафик.',
  stopMails: 'Больше не получать таких писем:',
};
