import { modals } from '@mantine/modals';
import { getI18n } from 'react-i18next';
import { CONFIRM_FIRST } from '../../src-main/bridge/lock.ts';
import { laterTextsLoaded } from '../i18n/i18n.ts';
import { PassphraseForm } from '../ui/passphrase-form.tsx';
import { requireDesktop } from './desktop.ts';

/** Asks for the window's passphrase, if a lock is set. @returns whether it was given */
export async function confirmFirst(): Promise<boolean> {
  await laterTextsLoaded();
  const view = await requireDesktop().lock.view();
  return new Promise((resolve) => {
    const id = modals.open({
      title: getI18n().t('lock:confirm'),
      onClose: () => resolve(false),
      children: (
        <PassphraseForm
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

/** Runs work that may need confirmation first. @throws what the work threw, also when it was not confirmed */
export async function confirmedFirst<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes(CONFIRM_FIRST)) throw error;
    if (!(await confirmFirst())) throw new Error(getI18n().t('lock:notConfirmed'), { cause: error });
    return work();
  }
}

/** Downloads expose the panel's data: with a lock set they need confirmation before they begin. */
export function guardDownloads(): void {
  const guard = async (link: HTMLAnchorElement): Promise<void> => {
    const { isSet, asksAgain } = await requireDesktop().lock.view();
    if (isSet && asksAgain && !(await confirmFirst())) return;
    // A click on a link outside the document reaches no listener.
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
