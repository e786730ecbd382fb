import { DirectionProvider, MantineProvider, useDirection } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { RouterProvider } from 'react-router/dom';
import type { Transport } from '../api/transport.ts';
import { TransportContext } from '../api/transport-context.tsx';
import { isLanguage, LANGUAGES } from '../i18n/i18n.ts';
import { CurrentQueryContext } from '../ui/address/use-address-params.ts';
import { useEscapeOfTop } from './focus/escape-of-top.ts';
import { useReturnFocus } from './focus/return-focus.ts';
import type { createRoutes } from './routes.tsx';
import { Toasts } from './toasts.tsx';
import { themeIn } from './theme.ts';

interface AppProps {
  transport: Transport;
  cache: QueryClient;
  router: ReturnType<typeof createRoutes>;
}

/** The providers and dialogs around all pages. */
export function App({ transport, cache, router }: AppProps) {
  useReturnFocus();
  useEscapeOfTop();
  const { t } = useTranslation('shell');
  const theme = useMemo(() => themeIn(t), [t]);
  const currentQuery = useCallback(() => router.state.location.search, [router]);
  return (
    <DirectionProvider>
      <MantineProvider theme={theme} defaultColorScheme="auto">
        <FollowDirection />
        <TransportContext value={transport}>
          <QueryClientProvider client={cache}>
            <ModalsProvider>
              <Toasts />
              <CurrentQueryContext value={currentQuery}>
                <RouterProvider router={router} />
              </CurrentQueryContext>
            </ModalsProvider>
          </QueryClientProvider>
        </TransportContext>
      </MantineProvider>
    </DirectionProvider>
  );
}

function FollowDirection() {
  const { i18n } = useTranslation();
  const { setDirection } = useDirection();
  useEffect(() => {
    if (isLanguage(i18n.language)) setDirection(LANGUAGES[i18n.language].direction);
  }, [i18n.language, setDirection]);
  return null;
}
