import { app, dialog, shell, type Session } from 'electron';
import { externalLink } from '../guards/external-link.ts';
import { isNavigable } from '../guards/own-page.ts';
import { isPermitted } from '../guards/permissions.ts';
import type { Texts } from '../texts/en.ts';

/** Guards every page that this application will ever show, whatever creates it. */
export function guardContents(texts: () => Texts): void {
  app.on('web-contents-created', (_created, contents) => {
    const pin = (event: { preventDefault(): void }, url: string): void => {
      if (isNavigable(url)) return;
      event.preventDefault();
      void offerExternal(url, texts());
    };
    contents.on('will-navigate', (event, url) => pin(event, url));
    contents.on('will-redirect', (event, url) => pin(event, url));
    contents.on('will-frame-navigate', (event) => {
      if (!isNavigable(event.url)) event.preventDefault();
    });
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.setWindowOpenHandler(({ url }) => {
      void offerExternal(url, texts());
      return { action: 'deny' };
    });
  });
}

/** Refuses all permissions except the two we use. */
export function guardPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, callback, { requestingUrl }) =>
    callback(isPermitted(permission, requestingUrl)),
  );
  session.setPermissionCheckHandler((_contents, permission, origin) => isPermitted(permission, origin));
  session.setDevicePermissionHandler(() => false);
}

/** Shows a link's real target before the system's browser gets it. */
async function offerExternal(raw: string, texts: Texts): Promise<void> {
  const link = externalLink(raw);
  if (link === null) return;
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message: texts.openLink.replace('{host}', link.host),
    detail: link.url.slice(0, 300),
    buttons: [texts.openInBrowser, texts.cancel],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  });
  if (response === 0) await shell.openExternal(link.url);
}
