import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';
import { SearchField } from './search-field.tsx';

const searches: string[] = [];

/** Its address follows on a button click, as a slow page's does after rendering. */
function SlowPage({ afterMs }: { afterMs: number }) {
  const [value, setValue] = useState('');
  return (
    <>
      <SearchField label="Search" value={value} onSearch={(text) => void searches.push(text)} afterMs={afterMs} />
      {['ab', 'ab c', ''].map((text) => (
        <button key={text} onClick={() => setValue(text)}>{`Go to "${text}"`}</button>
      ))}
    </>
  );
}

it.each([0, 50])(
  'keeps what is typed while the page renders its search, and follows the address (%i ms)',
  async (afterMs) => {
    searches.length = 0;
    await renderPage(<SlowPage afterMs={afterMs} />, {});
    const field = screen.getByRole('searchbox');
    const shown = () => (field as HTMLInputElement).value;
    await userEvent.type(field, 'ab');
    await expect.poll(() => searches.at(-1)).toBe('ab');
    await userEvent.type(field, ' c');
    const goTo = (text: string) => userEvent.click(screen.getByRole('button', { name: `Go to "${text}"` }));
    await goTo('ab');
    expect(shown()).toBe('ab c');
    await expect.poll(() => searches.at(-1)).toBe('ab c');
    await goTo('ab c');
    await goTo('');
    expect(shown()).toBe('');
    await goTo('ab');
    expect(shown()).toBe('ab');
  },
);

it('searches for a name as it is, without the marks with which it was copied', async () => {
  searches.length = 0;
  await renderPage(<SlowPage afterMs={0} />, {});
  await userEvent.click(screen.getByRole('searchbox'));
  await userEvent.paste('\u2068anna\u2069');
  expect(searches).toEqual(['anna']);
});

function Searched() {
  const [value, setValue] = useState('');
  const [found, setFound] = useState<number | undefined>(9);
  const handleSearch = (text: string): void => {
    setValue(text);
    setFound(undefined);
  };
  return (
    <>
      <SearchField label="Search" value={value} onSearch={handleSearch} found={found} />
      {[0, 1, 2].map((count) => (
        <button key={count} onClick={() => setFound(count)}>{`Answer ${count}`}</button>
      ))}
    </>
  );
}

it('says to screen readers how many it found, once for each search', async () => {
  await renderPage(<Searched />, {});
  const respond = (count: number) => userEvent.click(screen.getByRole('button', { name: `Answer ${count}` }));
  const told = () => screen.getByRole('status').textContent;
  expect(told()).toBe('');
  await userEvent.type(screen.getByRole('searchbox'), 'a');
  expect(told()).toBe('');
  await respond(2);
  expect(told()).toBe('2 found');
  await respond(1);
  expect(told()).toBe('2 found');
  await userEvent.type(screen.getByRole('searchbox'), 'b');
  await respond(0);
  expect(told()).toBe('Nothing found');
  await userEvent.clear(screen.getByRole('searchbox'));
  expect(told()).toBe('');
});
