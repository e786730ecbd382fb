import '@fontsource-variable/inter';
import '@fontsource-variable/vazirmatn';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@mantine/spotlight/styles.css';
import './app/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserTransport, readBasePath } from './api/browser-transport.ts';
import { createQueryClient } from './api/query-client.ts';
import { App } from './app/app.tsx';
import { createRoutes } from './app/routes.tsx';
import { preferredLanguage, startTexts } from './i18n/i18n.ts';
import { storedLanguage } from './stores/preferences.ts';

const basePath = readBasePath();
await startTexts(preferredLanguage(storedLanguage(), navigator.languages));
createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    <App transport={createBrowserTransport(basePath)} cache={createQueryClient()} router={createRoutes(basePath)} />
  </StrictMode>,
);
