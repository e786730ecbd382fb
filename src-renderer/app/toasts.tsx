import { useDirection } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Notifications } from '@mantine/notifications';

/** Notices below the sidebar, where they cover neither titles nor buttons. A phone has its buttons below. */
export function Toasts() {
  const { dir } = useDirection();
  const isPhone = useMediaQuery('(max-width: 48em)') ?? false;
  const corner = dir === 'rtl' ? 'bottom-right' : 'bottom-left';
  return <Notifications position={isPhone ? 'top-center' : corner} />;
}
