import { notifications } from '@mantine/notifications';
import { createElement } from 'react';
import { getI18n } from 'react-i18next';
import { CallError } from '../api/transport.ts';
import { UnexpectedFailure } from './unexpected-failure.tsx';

/** Says that a change succeeded, in a live region. */
export function announceDone(message: string): void {
  notifications.show({ message, color: 'teal', autoClose: 4_000, closeButtonProps: named() });
}

/** Says why a change failed; stays until it is closed. What nobody expected comes with its details to copy. */
export function announceFailure(error: Error): void {
  const closeButtonProps = named();
  const isExpected = error instanceof CallError && error.kind !== 'unexpected';
  const message = isExpected ? error.message : createElement(UnexpectedFailure, { error, atMs: Date.now() });
  notifications.show({ message, color: 'red', autoClose: false, role: 'alert', closeButtonProps });
}

/** The kit's button to close it is a cross without words. */
function named(): { 'aria-label': string } {
  return { 'aria-label': getI18n().t('shell:close') };
}
