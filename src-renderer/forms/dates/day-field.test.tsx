import { Modal } from '@mantine/core';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState, type FormEvent } from 'react';
import { beforeAll, expect, it, vi } from 'vitest';
import { useCalendarChoice } from '../../stores/calendar.ts';
import { noteServerTime } from '../../stores/server-clock.ts';
import { renderPage } from '../../testing/render-page.tsx';
import { DayField } from './day-field.tsx';
import { MomentField } from './moment-field.tsx';
import { TermField } from './term-field.tsx';
import type { Term } from './term.ts';

function Day({ start = '' }: { start?: string }) {
  const [day, setDay] = useState(start);
  return (
    <>
      <DayField label="Day of it" value={day} onChange={setDay} />
      <output>{day}</output>
    </>
  );
}

function Moment() {
  const [moment, setMoment] = useState('2026-03-22T14:30');
  return (
    <>
      <MomentField label="End" value={moment} onChange={setMoment} />
      <output>{moment}</output>
    </>
  );
}

/** Of something that ends this evening. */
function UntilEvening() {
  const endMs = new Date(2030, 0, 20, 18).getTime();
  const [term, setTerm] = useState<Term>(11);
  return (
    <>
      <TermField daysLabel="Days" dayLabel="Last day" value={term} onChange={setTerm} stored={{ days: 11, endMs }} />
      <output>{String(term)}</output>
    </>
  );
}

function TenDays() {
  const [term, setTerm] = useState<Term>(10);
  return (
    <>
      <TermField daysLabel="Days" dayLabel="Last day" value={term} onChange={setTerm} />
      <output>{String(term)}</output>
    </>
  );
}

// On a busy machine, loading it takes longer than a test waits.
beforeAll(() => import('./jalali-calendar.tsx'), 120_000);

const shown = (): string | null => screen.getByRole('status').textContent;

it('where dates are Jalali a day can be typed, with any digits', async () => {
  useCalendarChoice.setState({ isJalali: true });
  await renderPage(<Day start="2026-03-22" />, {});
  const field = screen.getByLabelText('Day of it');
  expect(field).toHaveProperty('value', '1405/01/02');
  await userEvent.clear(field);
  await userEvent.type(field, '1405/13/01');
  expect(screen.getByText('Not a date in this calendar; write it like 1405/01/31')).toBeTruthy();
  await userEvent.clear(field);
  await userEvent.type(field, '۱۴۰۵/۱/۳');
  expect(shown()).toBe('2026-03-23');
  await userEvent.clear(field);
  // The first of the month on the way there.
  await userEvent.type(field, '1405/1/12');
  expect(shown()).toBe('2026-04-01');
  await userEvent.tab();
  expect(field).toHaveProperty('value', '1405/01/12');
});

it('a form with an unreadable Jalali day is not sent', async () => {
  useCalendarChoice.setState({ isJalali: true });
  const send = vi.fn<(event: FormEvent) => void>((event) => event.preventDefault());
  await renderPage(
    <form onSubmit={send}>
      <Day />
      <button type="submit">Send</button>
    </form>,
    {},
  );
  const field = screen.getByLabelText('Day of it');
  // The month has 30 days.
  await userEvent.type(field, '1405/07/31');
  await userEvent.click(screen.getByRole('button', { name: 'Send' }));
  expect(send).not.toHaveBeenCalled();
  await userEvent.type(field, '{Backspace}0');
  await userEvent.click(screen.getByRole('button', { name: 'Send' }));
  expect(send).toHaveBeenCalledOnce();
  expect(shown()).toBe('2026-10-22');
});

it('where dates are Jalali a day can be chosen in a calendar by keyboard', async () => {
  useCalendarChoice.setState({ isJalali: true });
  await renderPage(<Day start="2026-03-23" />, {});
  await userEvent.click(screen.getByRole('button', { name: 'Choose in the calendar' }));
  await waitFor(() => expect(document.activeElement?.textContent).toBe('3'), { timeout: 10_000 });
  expect(screen.getByRole('grid', { name: /Farvardin 1405/ })).toBeTruthy();
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await waitFor(() => expect(shown()).toBe('2026-03-30'));
  await waitFor(() => expect(screen.queryByRole('grid')).toBeNull());
  expect(screen.getByLabelText('Day of it')).toHaveProperty('value', '1405/01/10');
});

it('Escape in the calendar closes the calendar alone, not the dialog around it', async () => {
  useCalendarChoice.setState({ isJalali: true });
  const close = vi.fn<() => void>();
  await renderPage(
    <Modal opened onClose={close}>
      <Day start="2026-03-23" />
    </Modal>,
    {},
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Choose in the calendar' }));
  (await screen.findByRole('combobox', { name: 'Year' })).focus();
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('grid')).toBeNull());
  expect(close).not.toHaveBeenCalled();
});

it('a moment has a Jalali day and a time', async () => {
  useCalendarChoice.setState({ isJalali: true });
  await renderPage(<Moment />, {});
  expect(screen.getByRole('group', { name: 'End' })).toBeTruthy();
  const day = screen.getByLabelText('Day');
  await userEvent.clear(day);
  expect(shown()).toBe('');
  await userEvent.type(day, '1405/01/01');
  expect(shown()).toBe('2026-03-21T14:30');
});

it('a moment that was refused is marked, and described by the reason', async () => {
  useCalendarChoice.setState({ isJalali: true });
  await renderPage(
    <MomentField label="End" value="2026-03-22T14:30" onChange={() => undefined} error="It is over." />,
    {},
  );
  const group = screen.getByRole('group', { name: 'End' });
  expect(document.getElementById(group.getAttribute('aria-describedby')!)?.textContent).toBe('It is over.');
  expect(within(group).getByRole('textbox').getAttribute('aria-invalid')).toBe('true');
});

it('a stored term is shown by the day on which it ends, and comes back from there', async () => {
  noteServerTime(new Date(2030, 0, 10, 8).getTime());
  await renderPage(<UntilEvening />, {});
  expect(screen.getByText('Jan 20, 2030')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Choose a date' }));
  expect(shown()).toBe('2030-01-20');
  await userEvent.click(screen.getByRole('button', { name: 'Type days' }));
  expect(shown()).toBe('11');
  await userEvent.type(screen.getByLabelText('Days'), '{Backspace}5');
  expect(await screen.findByText('Jan 25, 2030')).toBeTruthy();
});

it('a term’s days and its end date convert to each other', async () => {
  await renderPage(<TenDays />, {});
  await userEvent.click(screen.getByRole('button', { name: 'Choose a date' }));
  expect(screen.getByLabelText('Last day')).toBeTruthy();
  expect(shown()).toMatch(/^\d{4}-\d\d-\d\d$/);
  await userEvent.click(screen.getByRole('button', { name: 'Type days' }));
  expect(['10', '11']).toContain(shown());
  await userEvent.clear(screen.getByLabelText('Days'));
  expect(shown()).toBe('null');
});
