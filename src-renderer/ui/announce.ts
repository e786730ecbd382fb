import { notifications } from '@mantine/notifications';
import { getI18n } from 'react-i18next';

/** Says that a change succeeded, in a live region. */
export function announceDone(message: string): void {
  notifications.show({ message, color: 'teal', autoClose: 4_000, closeButtonProps: named() });
}

/** Says why a change failed; stays until it is closed. */
export function announceFailure(error: Error): void {
  const closeButtonProps = named();
  notifications.show({ message: error.message, color: 'red', autoClose: false, role: 'alert', closeButtonProps });
}

/** The kit's button to close it is a cross without words. */
function named(): { 'aria-label': string } {
  return { 'aria-label': getI18n().t('shell:close') };
}
