import { useMantineColorScheme } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { getDb } from '#contract/backup';
import { getStatus } from '#contract/server';
import { keys } from '../../api/keys.ts';
import { useTransport } from '../../api/transport-context.tsx';
import { useRead } from '../../api/use-read.ts';
import { useCoreVerbs } from '../../pages/core/state/use-core-verbs.ts';
import { useSignOut } from '../account/use-sign-out.ts';
import { useOpenPage } from '../../forms/leave-blocker.tsx';

interface PaletteEntry {
  id: string;
  label: string;
  onClick: () => void;
}

/** What can be done from anywhere. A verb asks first where its page does. */
export function usePaletteVerbs(): PaletteEntry[] {
  const { t } = useTranslation(['shell', 'inbounds', 'words']);
  const openPage = useOpenPage();
  const transport = useTransport();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const signOut = useSignOut();
  // Only the state: the readings come every two seconds.
  const { data: core } = useRead(getStatus, {}, keys.status, { select: (status) => status.core.state });
  const { restart, stop } = useCoreVerbs(core === 'running');
  const handleBackup = (): void => {
    const link = document.createElement('a');
    link.href = transport.fileUrl(getDb.path);
    link.download = '';
    document.body.append(link);
    link.click();
    link.remove();
  };
  const go = (path: string) => () => openPage(path);

  const schemes = (['auto', 'light', 'dark'] as const).filter((scheme) => scheme !== colorScheme);
  return [
    { id: 'verb client', label: t('words:addClient'), onClick: go('/panel/clients?edit=') },
    { id: 'verb inbound', label: t('inbounds:add'), onClick: go('/panel/inbounds/new') },
    { id: 'verb restart', label: restart.label, onClick: restart.onClick },
    ...(stop === null ? [] : [{ id: 'verb stop', label: stop.label, onClick: stop.onClick }]),
    { id: 'verb backup', label: t('palette.backup'), onClick: handleBackup },
    ...schemes.map((scheme) => ({
      id: `verb ${scheme}`,
      label: t('palette.theme', { theme: t(`theme.${scheme}`) }),
      onClick: () => setColorScheme(scheme),
    })),
    { id: 'verb sign out', label: t('account.signOut'), onClick: signOut },
  ];
}
