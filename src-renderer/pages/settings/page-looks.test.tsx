import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';
import { PageColor } from './page-looks.tsx';

function Field() {
  const [color, setColor] = useState('#1261c9');
  return <PageColor label="Colour" value={color} onChange={setColor} />;
}

it('keeps a colour that is not one yet when its field is left', async () => {
  await renderPage(<Field />, {});
  const field = screen.getByLabelText<HTMLInputElement>('Colour');
  fireEvent.focus(field);
  fireEvent.change(field, { target: { value: '#c24-' } });
  fireEvent.blur(field);
  expect(field.value).toBe('#c24-');
});
