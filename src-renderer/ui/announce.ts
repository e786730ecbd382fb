import { notifications } from '@mantine/notifications';

/** Says that a change succeeded, in a live region. */
export function announceDone(message: string): void {
  notifications.show({ message, color: 'teal', autoClose: 4_000 });
}

/** Says why a change failed; stays until it is closed. */
export function announceFailure(error: Error): void {
  notifications.show({ message: error.message, color: 'red', autoClose: false, role: 'alert' });
}
