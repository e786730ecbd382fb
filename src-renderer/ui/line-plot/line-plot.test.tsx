import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';
import { LinePlot } from './line-plot.tsx';

/** A drawing that a reading is added to, as live ones are. */
function Live() {
  const [count, setCount] = useState(3);
  const [looked, lookAt] = useState<number | null>(null);
  const times = Array.from({ length: count }, (_, at) => at);
  return (
    <>
      <LinePlot
        label="Reading"
        data={[times, times]}
        height={100}
        windowSec={60}
        ticksOf={() => [0, 10]}
        valueText={String}
        words={`reading ${looked ?? count - 1}`}
        looked={looked}
        onLook={lookAt}
      />
      <button onPointerEnter={() => setCount((before) => before + 1)}>Next</button>
    </>
  );
}

it('reads out no new reading while it has the focus, until an arrow key asks', async () => {
  await renderPage(<Live />, {});
  const told = () => screen.getByRole('slider').getAttribute('aria-valuetext');
  const pass = () => userEvent.hover(screen.getByRole('button'));
  const away = () => userEvent.unhover(screen.getByRole('button'));
  await pass();
  expect(told()).toBe('reading 3');
  await userEvent.tab();
  await away();
  await pass();
  expect(told()).toBe('reading 3');
  await userEvent.keyboard('{End}{ArrowLeft}');
  expect(told()).toBe('reading 3');
  await userEvent.keyboard('{ArrowLeft}');
  expect(told()).toBe('reading 2');
  await away();
  await pass();
  expect(told()).toBe('reading 2');
});
