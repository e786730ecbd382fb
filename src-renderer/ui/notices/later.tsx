import { Alert, Button, Modal, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { lazy, useEffect, type ComponentType, type LazyExoticComponent } from 'react';
import { getI18n, useTranslation } from 'react-i18next';
import { useConnection } from '../../stores/connection.ts';
import { underWay } from '../../stores/under-way.ts';

/** A part of the interface whose program is loaded when it is first shown; one that does not arrive says so in its place. */
export const later = <P extends object>(load: () => Promise<ComponentType<P>>) => loaded(load, NotLoaded);

/** The same for a dialog, which has no place on the page. */
export const laterDialog = <P extends { onClose: () => void }>(load: () => Promise<ComponentType<P>>) =>
  loaded(load, NotLoadedDialog);

/** The same for a menu, which has no place on the page either: a notification says so. */
export const laterMenu = <P extends object>(load: () => Promise<ComponentType<P>>) => loaded(load, AnnounceNotLoaded);

function loaded<P extends object>(
  load: () => Promise<ComponentType<P>>,
  instead: ComponentType<P>,
): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => ({ default: await underWay(load()).catch(() => instead) }));
}

/** The panel is out of reach, or has another version by now. What failed once is not asked for again by every browser. */
export function NotLoaded() {
  const { t } = useTranslation('shell');
  return (
    <Alert color="red" title={t('notLoaded.title')} role="alert" m="md">
      <LoadAgain />
    </Alert>
  );
}

function NotLoadedDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('shell');
  return (
    <Modal opened onClose={onClose} title={t('notLoaded.title')}>
      <LoadAgain />
    </Modal>
  );
}

function AnnounceNotLoaded() {
  useEffect(announceNotLoaded, []);
  return null;
}

function LoadAgain() {
  const { t } = useTranslation('shell');
  const isReachable = useConnection((state) => state.isReachable);
  return (
    <Stack align="flex-start">
      <Text size="sm">{t('notLoaded.text')}</Text>
      <Button variant="default" disabled={!isReachable} onClick={() => location.reload()}>
        {t('broken.reload')}
      </Button>
    </Stack>
  );
}

/** A notification for what is not a part of the page: words of a language, the preview of an undo. */
export function announceNotLoaded(): void {
  const { t } = getI18n();
  const words = { title: t('shell:notLoaded.title'), message: t('shell:notLoaded.text') };
  notifications.show({ ...words, color: 'red', autoClose: false, role: 'alert' });
}
