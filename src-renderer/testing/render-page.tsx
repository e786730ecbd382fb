import { MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { themeIn } from '../app/theme.ts';
import { getI18n } from 'react-i18next';
import { createQueryClient } from '../api/query-client.ts';
import type { RawRequest, Transport } from '../api/transport.ts';
import { TransportContext } from '../api/transport-context.tsx';
import { BlockedPages } from '../forms/leave-blocker.tsx';
import { laterTextsLoaded, startTexts, type Language } from '../i18n/i18n.ts';

/**
 * Responses by `METHOD /path` without query; a function gets the request and may be asynchronous. A returned value is the
 * envelope's `obj`; an `Error` is a refusal with its `code` and `params`, its cause the `obj`; a `Response` comes from
 * a proxy in front of the panel.
 */
export type Responses = Readonly<Record<string, unknown>>;

/** Renders a page over a transport that answers from a table. @returns every request of the page, in order. */
export async function renderPage(
  page: ReactNode,
  responses: Responses,
  address = '/',
  language: Language = 'en',
): Promise<{ sent: RawRequest[] }> {
  await startTexts(language, false);
  await laterTextsLoaded();
  const sent: RawRequest[] = [];
  const container = document.body.appendChild(document.createElement('div'));
  const transport: Transport = {
    async send(request) {
      sent.push(request);
      const response = responses[`${request.method} ${request.path.split('?')[0]!}`];
      let obj: unknown;
      try {
        obj = typeof response === 'function' ? await (response as (request: RawRequest) => unknown)(request) : response;
      } finally {
        // A page goes on sending requests after its test, for example while a panel restarts. The next test is not told.
        if (!container.isConnected) await new Promise(() => undefined);
      }
      if (obj instanceof Response) return { status: obj.status, errorCode: '', body: null };
      const body =
        obj instanceof Error
          ? { success: false, msg: obj.message, obj: obj.cause ?? null, error: refusalOf(obj) }
          : { success: true, msg: '', obj: obj ?? null };
      return { status: response === undefined ? 404 : 200, errorCode: '', body };
    },
    listen: () => () => undefined,
    isOwnRequest: () => false,
    fileUrl: (path) => path,
  };
  // A router with data, as in the interface: forms ask before they are left.
  const router = createMemoryRouter([{ Component: BlockedPages, children: [{ path: '*', element: page }] }], {
    initialEntries: [address],
  });
  render(
    <MantineProvider env="test" theme={themeIn(getI18n().getFixedT(language, 'shell'))}>
      <TransportContext value={transport}>
        <QueryClientProvider client={createQueryClient()}>
          <ModalsProvider>
            <RouterProvider router={router} flushSync={(run) => void flushSync(run)} />
          </ModalsProvider>
        </QueryClientProvider>
      </TransportContext>
    </MantineProvider>,
    { container },
  );
  return { sent };
}

function refusalOf({ code, params = {} }: Error & { code?: string; params?: object }): object | undefined {
  return code === undefined ? undefined : { code, params };
}
