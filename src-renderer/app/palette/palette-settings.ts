import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOpenPage } from '../../forms/leave-blocker.tsx';

/** More than this many say that the text is not a name yet. */
const FOUND = 7;

/** Settings and sections of the settings whose name, or key, holds the text; none for an empty one. */
export function usePaletteSettings(
  text: string,
): { id: string; label: string; description: string; onClick: () => void }[] {
  const { t } = useTranslation(['settings', 'shell']);
  const openPage = useOpenPage();
  const wanted = text.trim().toLowerCase();
  // The list belongs to the page of the settings and comes with the first search.
  const { data } = useQuery({
    queryKey: ['palette', 'settings'],
    queryFn: () => import('../../pages/settings/sections.ts'),
    enabled: wanted !== '',
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (data === undefined || wanted === '') return [];
  const sections = data.SHOWN_SECTIONS.map((section) => ({
    id: `section ${section}`,
    label: t(`section.${section}`),
    key: '',
    description: t('shell:nav.settings'),
    onClick: () => openPage(`/panel/settings/${section}`),
  }));
  const rows = data.GROUPS.flatMap(({ section, keys }) =>
    keys.filter(data.isShown).map((key) => ({
      id: `setting ${key}`,
      label: t(`field.${key}`),
      key,
      description: t(`section.${section}`),
      onClick: () => openPage(`/panel/settings/${section}?q=${encodeURIComponent(key)}`),
    })),
  );
  // Parts of the page that are no rows, by what else they are called.
  const parts = [
    { id: 'twoFactor', label: t('field.twoFactorEnable'), key: '2fa mfa otp totp' },
    { id: 'tokens', label: t('tokens.title'), key: 'token bearer key' },
    { id: 'sessions', label: t('sessions.title'), key: 'session login' },
    { id: 'account', label: t('account.title'), key: 'username password login' },
  ].map((part) => ({
    ...part,
    description: t('section.security'),
    onClick: () => openPage('/panel/settings/security'),
  }));
  return [...sections, ...parts, ...rows]
    .filter(({ label, key }) => `${label}\n${key}`.toLowerCase().includes(wanted))
    .slice(0, FOUND)
    .map(({ id, label, description, onClick }) => ({ id, label, description, onClick }));
}
