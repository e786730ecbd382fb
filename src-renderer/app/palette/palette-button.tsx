import { ActionIcon, Tooltip } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCtrlKey } from '../../ui/latin-key.ts';
import { laterMenu } from '../../ui/notices/later.tsx';

const load = () => import('./palette.tsx');
const Palette = laterMenu(async () => (await load()).Palette);

/** Opens the palette, also by Ctrl+K. No part of the first page: its program is fetched as soon as a user is there. */
export function PaletteButton() {
  const { t } = useTranslation('shell');
  const [opened, setOpened] = useState(0);
  const open = (): void => setOpened((before) => before + 1);
  useCtrlKey('k', open);
  useFirstInput(() => void load().catch(() => undefined));
  return (
    <>
      <Tooltip label={t('palette.hint')}>
        <ActionIcon variant="subtle" color="gray" size={40} aria-label={t('palette.label')} onClick={open}>
          <IconSearch size={22} />
        </ActionIcon>
      </Tooltip>
      {opened > 0 && (
        <Suspense>
          <Palette opened={opened} />
        </Suspense>
      )}
    </>
  );
}

function useFirstInput(onInput: () => void): void {
  useEffect(() => {
    const heard = new AbortController();
    const hear = (): void => {
      heard.abort();
      onInput();
    };
    for (const type of ['pointermove', 'pointerdown', 'keydown'])
      addEventListener(type, hear, { signal: heard.signal, capture: true });
    return () => heard.abort();
    // Once, whatever is rendered again.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
}
