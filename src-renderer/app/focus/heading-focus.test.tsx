import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Link, Route, Routes } from 'react-router';
import { expect, it } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { useHeadingFocus } from './heading-focus.ts';

const Clients = () => <Page title="Clients">rows</Page>;
const Core = () => <Page title="Core">sections</Page>;
const Find = () => (
  <Page title="Find">
    <input ref={(input) => input?.focus()} aria-label="Search" />
  </Page>
);

function Frame() {
  useHeadingFocus();
  return (
    <>
      {['/clients', '/core/dns', '/core/routing', '/find'].map((path) => (
        <Link key={path} to={path}>
          {path}
        </Link>
      ))}
      <Routes>
        <Route path="/clients" element={<Clients />} />
        <Route path="/core/:section" element={<Core />} />
        <Route path="/find" element={<Find />} />
      </Routes>
    </>
  );
}

it('goes to the heading of another page, not of the first, nor of another section', async () => {
  await renderPage(<Frame />, {}, '/clients');
  const focused = () => document.activeElement?.textContent;
  const follow = async (path: string) => userEvent.click(screen.getByRole('link', { name: path }));
  expect(document.activeElement).toBe(document.body);
  await follow('/core/dns');
  expect(focused()).toBe('Core');
  await follow('/core/routing');
  expect(focused()).toBe('/core/routing');
  await follow('/clients');
  expect(focused()).toBe('Clients');
  await follow('/find');
  expect(document.activeElement).toBe(screen.getByLabelText('Search'));
});
