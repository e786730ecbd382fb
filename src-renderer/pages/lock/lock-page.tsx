import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { requireDesktop } from '../../api/desktop.ts';
import { QueryView } from '../../ui/query-view/query-view.tsx';
import { PassphraseForm } from '../../ui/passphrase-form.tsx';
import { DesktopFrame } from '../connections/desktop-frame.tsx';
import { LockSettings } from './lock-settings.tsx';

/** The only page of a locked window; in an open one, the settings of the lock. */
export function LockPage() {
  const { t } = useTranslation('lock');
  const view = useQuery({
    queryKey: ['lock'],
    queryFn: () => requireDesktop().lock.view(),
    staleTime: 0,
    gcTime: 0,
  });
  return (
    <DesktopFrame title={t(view.data?.isLocked === true ? 'locked' : 'title')} size={480}>
      <QueryView query={view}>
        {(lock) =>
          lock.isLocked ? (
            // The window continues where it was as soon as the passphrase is right.
            <PassphraseForm view={lock} action={t('unlock')} onOpen={() => undefined} />
          ) : (
            <LockSettings key={String(lock.isSet)} view={lock} onChange={() => void view.refetch()} />
          )
        }
      </QueryView>
    </DesktopFrame>
  );
}
