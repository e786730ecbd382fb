import { notifications } from '@mantine/notifications';
import { createElement } from 'react';
import { getI18n } from 'react-i18next';
import { CallError } from '../../api/transport.ts';
import { takeChanges } from '../undo/last-change.ts';
import { UnexpectedFailure } from './unexpected-failure.tsx';

/** Reports a successful change in a live region, with an undo where one is likely to be wanted. */
export function announceDone(message: string): void {
  const changes = takeChanges();
  if (changes.length > 0) {
    void import('../undo/offer-undo.ts').then(
      ({ offerUndo }) => offerUndo(message, changes, TELL),
      () => announce(message),
    );
    return;
  }
  announce(message);
}

function announce(message: string): void {
  notifications.show({ message, color: 'teal', autoClose: 4_000 });
}

/** Reports a failed change; stays until it is closed. Unexpected failures come with details to copy. */
export function announceFailure(error: Error): void {
  const isExpected = error instanceof CallError && error.kind !== 'unexpected';
  const message = isExpected ? error.message : createElement(UnexpectedFailure, { error, atMs: Date.now() });
  notifications.show({ message, color: 'red', autoClose: false, role: 'alert' });
}

/** The core's warnings about a saved config, in its own words; stays until it is closed. */
export function announceCoreWarnings(warnings: readonly string[]): void {
  if (warnings.length === 0) return;
  notifications.show({
    title: getI18n().t('shell:coreWarns'),
    message: warnings.map((line) => `• ${line}`).join('\n'),
    styles: { description: { whiteSpace: 'pre-line', overflowWrap: 'anywhere' } },
    color: 'yellow',
    autoClose: false,
    role: 'status',
  });
}

const SHOWN = 3;

/** Reports several failures in one notification: the first few reasons and how many more. */
export function announceFailures(reasons: readonly string[]): void {
  if (reasons.length === 0) return;
  const more = reasons.length - SHOWN;
  const lines = [...reasons.slice(0, SHOWN), ...(more > 0 ? [getI18n().t('shell:more', { count: more })] : [])];
  notifications.show({
    message: lines.join('\n'),
    styles: { description: { whiteSpace: 'pre-line', overflowWrap: 'anywhere' } },
    color: 'red',
    autoClose: false,
    role: 'alert',
  });
}

/** How an undo offered here reports its result. */
const TELL = { done: announceDone, coreWarnings: announceCoreWarnings };
