import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';
import { AccountMenu } from './account-menu.tsx';

it('says which theme and which language are chosen', async () => {
  await renderPage(<AccountMenu />, {}, '/', 'ru');
  await userEvent.click(screen.getByRole('button'));
  await screen.findAllByRole('menuitem');
  const chosen = screen.getAllByRole('menuitem', { current: true }).map(({ textContent }) => textContent);
  expect(chosen).toEqual(['Светлая', 'Русский']);
});
