import '@fontsource-variable/inter';
import '@fontsource-variable/vazirmatn';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@mantine/spotlight/styles.css';
import './app/base.css';
import './app/forced-colors.css';
import './ui/palette/palette.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserTransport, readBasePath } from './api/browser-transport.ts';
import { desktopBridge } from './api/desktop.ts';
import { createDesktopTransport } from './api/desktop-transport.ts';
import { createQueryClient } from './api/query-client.ts';
import { App } from './app/app.tsx';
import { followDesktop } from './app/desktop-shell.ts';
import { createRoutes } from './app/routes.tsx';
import { FROM_ELSEWHERE } from './forms/leave-blocker.tsx';
import { preferredLanguage, startTexts } from './i18n/i18n.ts';
import { storedLanguage, wantsPseudoWords } from './stores/preferences.ts';

const bridge = desktopBridge();
const basePath = bridge === null ? readBasePath() : '/';
const router = createRoutes(basePath, bridge !== null);
await startTexts(preferredLanguage(storedLanguage(), navigator.languages), wantsPseudoWords());
if (bridge !== null) followDesktop(bridge, (path) => router.navigate(path, { state: FROM_ELSEWHERE }));
createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    <App
      transport={bridge === null ? createBrowserTransport(basePath) : createDesktopTransport(bridge)}
      cache={createQueryClient()}
      router={router}
    />
  </StrictMode>,
);
