import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { renderPage } from '../../../testing/render-page.tsx';
import { ImportDialog } from '../../core/outbounds/import-dialog.tsx';
import { RecipeDialog } from '../../inbounds/recipe-dialog.tsx';
import { ExternalLinkDialog } from '../drawer/external-link-dialog.tsx';
import { AddManyDialog } from './add-many-dialog.tsx';
import { AdjustDialog } from './adjust-dialog.tsx';

const handleClose = vi.fn();

it.each([
  ['Add many clients', AddManyDialog, 'Names begin with'],
  ['Adjust clients', () => <AdjustDialog emails={['anna']} onClose={handleClose} />, 'Days to add'],
  ['External link', () => <ExternalLinkDialog email="anna" link={null} onClose={handleClose} />, '^Link'],
  ['Import from link', ImportDialog, 'Share links'],
  ['Add inbound', RecipeDialog, '^Name'],
])('%s asks before typed text is lost', async (_, Dialog, label) => {
  handleClose.mockClear();
  await renderPage(<Dialog onClose={handleClose} />, {});
  await userEvent.type(await screen.findByLabelText(new RegExp(label)), '5');
  await userEvent.keyboard('{Escape}');
  await screen.findByRole('button', { name: 'Discard' });
  expect(handleClose).not.toHaveBeenCalled();
});
