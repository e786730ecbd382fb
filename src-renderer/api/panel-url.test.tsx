import { screen } from '@testing-library/react';
import { afterEach, it } from 'vitest';
import { renderPage } from '../testing/render-page.tsx';
import { usePanelUrl } from './panel-url.ts';

afterEach(() => Reflect.deleteProperty(globalThis, 'desktop'));

const Shown = () => <p>{`at ${usePanelUrl()?.href ?? 'no address'}`}</p>;

it('is the address of the page in a browser', async () => {
  await renderPage(<Shown />, {});
  await screen.findByText(`at ${location.origin}/`);
});

it.each([
  ['https://far.example/base/', 'at https://far.example/base/'],
  ['', 'at no address'],
])('is that of the connection in the window: %j', async (address, words) => {
  const list = async () => [
    { id: 'local', address: 'http://127.0.0.1:1/', isCurrent: false },
    { id: 'x', address, isCurrent: true },
  ];
  Object.assign(globalThis, { desktop: { connections: { list } } });
  await renderPage(<Shown />, {});
  await screen.findByText(words);
});
