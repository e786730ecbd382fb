import { ActionIcon, Indicator, Popover } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listEvents } from '#contract/events';
import { keys } from '../../api/keys.ts';
import { useRead } from '../../api/use-read.ts';
import { useFormat } from '../../i18n/format.ts';
import { later } from '../../ui/notices/later.tsx';

/** Opened by hand, so it is not part of the first page. */
const EventList = later(async () => (await import('./event-list.tsx')).EventList);

const MAX_UNREAD = 99;

/** The bell: the number of new events, and the list of them. */
export function Bell() {
  const { t, i18n } = useTranslation('shell');
  const format = useFormat();
  const { language } = i18n;
  const [isOpen, setOpen] = useState(false);
  const { data } = useRead(listEvents, { query: { language, limit: 1 } }, [...keys.events, 'newest', language]);
  const unread = data?.unread ?? 0;
  return (
    <Popover position="bottom-end" width={380} withinPortal trapFocus returnFocus opened={isOpen} onChange={setOpen}>
      <Indicator
        disabled={unread === 0}
        label={unread > MAX_UNREAD ? `${format.number(MAX_UNREAD)}+` : format.number(unread)}
        size={16}
        offset={6}
        color="red"
      >
        <Popover.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={40}
            aria-label={unread === 0 ? t('bell.title') : t('bell.label', { count: unread })}
            onClick={() => setOpen(!isOpen)}
          >
            <IconBell size={22} />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown maw="calc(100vw - 16px)">
        {isOpen && (
          <Suspense fallback={null}>
            <EventList language={language} onLeave={() => setOpen(false)} />
          </Suspense>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
