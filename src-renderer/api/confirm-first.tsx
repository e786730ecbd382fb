import { modals } from '@mantine/modals';
import { getI18n } from 'react-i18next';
import { CONFIRM_FIRST } from '../../src-main/bridge/lock.ts';
import { laterTextsLoaded } from '../i18n/i18n.ts';
import { LockAnswerForm } from '../ui/lock-answer-form.tsx';
import { requireDesktop } from './desktop.ts';

/** Asks for the passphrase of the window, where there is a lock that wants it. @returns whether it was given */
export async function confirmFirst(): Promise<boolean> {
  await laterTextsLoaded();
  const view = await requireDesktop().lock.view();
  return new Promise((resolve) => {
    const id = modals.open({
      title: getI18n().t('lock:confirm'),
      onClose: () => resolve(false),
      children: (
        <LockAnswerForm
          view={view}
          action={getI18n().t('words:goOn')}
          onOpen={() => {
            resolve(true);
            modals.close(id);
          }}
        />
      ),
    });
  });
}

/** Does what may have to be confirmed first. @throws what it threw, also when it was not confirmed */
export async function confirmedFirst<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes(CONFIRM_FIRST)) throw error;
    if (!(await confirmFirst())) throw new Error(getI18n().t('lock:notConfirmed'), { cause: error });
    return work();
  }
}

/** Downloads hand out what a panel holds: with a lock they are confirmed before they begin. */
export function guardDownloads(): void {
  const guard = async (link: HTMLAnchorElement): Promise<void> => {
    const { isSet, asksAgain } = await requireDesktop().lock.view();
    if (isSet && asksAgain && !(await confirmFirst())) return;
    // Outside of the document nothing listens to its click.
    (link.cloneNode() as HTMLAnchorElement).click();
  };
  document.addEventListener(
    'click',
    (event) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[download]') : null;
      if (link === null) return;
      event.preventDefault();
      event.stopPropagation();
      void guard(link);
    },
    true,
  );
}
