import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import type { JsonObject } from '#wire/json';
import { renderPage } from '../../../testing/render-page.tsx';
import { ListField } from './fields.tsx';

const edits: JsonObject[] = [];

function Selector() {
  const [root, setRoot] = useState<JsonObject>({ selector: ['DE, Berlin'] });
  const edit = (next: JsonObject): void => {
    edits.push(next);
    setRoot(next);
  };
  return <ListField root={root} path={['selector']} onEdit={edit} label="Choose" suggestions={['NL, Delft']} />;
}

it('splits pasted commas, but no name that has one of its own', async () => {
  await renderPage(<Selector />, {});
  const field = await screen.findByRole('combobox', { name: 'Choose' });
  await userEvent.click(field);
  await userEvent.click(await screen.findByRole('option', { name: 'NL, Delft' }));
  expect(edits.at(-1)?.['selector']).toEqual(['DE, Berlin', 'NL, Delft']);
  await userEvent.click(field);
  await userEvent.paste('a,b');
  await userEvent.keyboard('{Enter}');
  expect(edits.at(-1)?.['selector']).toEqual(['DE, Berlin', 'NL, Delft', 'a', 'b']);
});
