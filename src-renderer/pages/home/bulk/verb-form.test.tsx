import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import type { VerbRequest } from '../../../../src-main/bridge/jobs.ts';
import { renderPage } from '../../../testing/render-page.tsx';
import { VerbForm } from './verb-form.tsx';
import type { VerbDraft } from './verb-model.ts';

const DRAFT: VerbDraft = {
  verb: 'extend',
  emails: 'ali',
  days: 30,
  traffic: 0,
  version: 'latest',
  panelIds: ['de'],
};

function Filled({ onPlan, first }: { onPlan: (request: VerbRequest) => void; first: Partial<VerbDraft> }) {
  const [draft, setDraft] = useState<VerbDraft>({ ...DRAFT, ...first });
  return (
    <VerbForm
      draft={draft}
      panels={[{ id: 'de', name: 'Frankfurt' }]}
      isBusy={false}
      onChange={setDraft}
      onPlan={onPlan}
    />
  );
}

async function fill(first: Partial<VerbDraft> = {}): Promise<VerbRequest[]> {
  const planned: VerbRequest[] = [];
  await renderPage(<Filled first={first} onPlan={(request) => planned.push(request)} />, {});
  return planned;
}
const submit = (): Promise<void> => userEvent.click(screen.getByRole('button', { name: 'Show what it will do' }));
const lines = (count: number): string => Array.from({ length: count }, (_, at) => `c${at}`).join('\n');

it.each([
  ['Days to add', '36501', 'A whole number from -36500 to 36500'],
  ['Days to add', '1.5', 'A whole number from -36500 to 36500'],
  ['Traffic to add', '9 PiB', 'Too much: at most 8 PiB.'],
  ['Traffic to add', 'much', 'Not understood. Write a number with a unit, such as 500 MB or 1.5 TB.'],
])('an amount that no panel takes is refused at its field: %s %s', async (label, typed, words) => {
  const planned = await fill();
  const field = await screen.findByLabelText(label);
  await userEvent.clear(field);
  await userEvent.type(field, typed);
  await submit();
  expect(screen.getByText(words)).toBeTruthy();
  expect(planned).toEqual([]);
});

it.each([
  ['too many', lines(10_001), 'These are 10,001 e-mails, and at most 10,000 fit. Do it in several parts.'],
  [
    'too long a line',
    `ali\n${'x'.repeat(256)}`,
    `No e-mail has more than 255 characters, as this one has: ${'x'.repeat(40)}… Write one per line.`,
  ],
])('e-mails are refused at their field: %s', async (_, emails, words) => {
  const planned = await fill({ emails });
  await screen.findByLabelText('E-mails of the clients');
  await submit();
  expect(screen.getByText(words)).toBeTruthy();
  expect(planned).toEqual([]);
});

it('an amount that was not understood does not hold up an action that has none', async () => {
  const planned = await fill({ verb: 'disable', traffic: 'much' });
  await screen.findByLabelText('E-mails of the clients');
  await submit();
  expect(planned).toMatchObject([{ verb: 'disable', addBytes: 0 }]);
});

it('the limits themselves are taken', async () => {
  const longest = 'x'.repeat(255);
  const planned = await fill({ emails: `${lines(9_999)}\n${longest}`, days: -36_500 });
  await userEvent.type(await screen.findByLabelText('Traffic to add'), '{Backspace}-1,5 TB');
  await submit();
  expect(planned).toMatchObject([{ addDays: -36_500, addBytes: -1.5 * 1024 ** 4 }]);
  expect(planned[0]?.emails).toHaveLength(10_000);
});

it('all panels are chosen and left by one box, which shows whether they are', async () => {
  await fill();
  const all = await screen.findByRole('checkbox', { name: 'All panels' });
  expect(all).toHaveProperty('checked', true);
  await userEvent.click(all);
  expect(screen.getByRole('checkbox', { name: 'Frankfurt' })).toHaveProperty('checked', false);
  expect(all).toHaveProperty('checked', false);
  await userEvent.click(all);
  expect(screen.getByRole('checkbox', { name: 'Frankfurt' })).toHaveProperty('checked', true);
});

it.each([
  [{ emails: '' }, 'E-mails of the clients'],
  [{ days: 0 }, 'Days to add'],
  [{ verb: 'restartCore', panelIds: [] }, 'All panels'],
] as const)('the keyboard is at the first field that was refused: %o', async (first, label) => {
  await fill(first as Partial<VerbDraft>);
  await screen.findByRole('button', { name: 'Show what it will do' });
  await submit();
  expect(document.activeElement).toBe(screen.getByLabelText(label));
});
