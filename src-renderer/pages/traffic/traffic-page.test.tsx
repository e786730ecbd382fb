import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useCalendarChoice } from '../../stores/calendar.ts';
import { renderPage, type Responses } from '../../testing/render-page.tsx';
import { byteTicks } from '../../ui/byte-ticks.ts';
import { labelEvery } from '../../ui/stacked-bars/bar-scale.ts';
import { historyCsv } from './history-csv.ts';
import { TrafficPage } from './traffic-page.tsx';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 4, 5);
const MIB = 1024 ** 2;
const zeros = (length: number) => Array.from({ length }, () => 0);
const at = (hour: number, value: number) => zeros(24).map((_, index) => (index === hour ? value : 0));

const DAY = {
  from: START,
  to: START + 24 * HOUR,
  step: 'hour',
  edges: Array.from({ length: 25 }, (_, hour) => START + hour * HOUR),
  sources: [
    { kind: 'core', guid: 'g', name: '', up: at(3, MIB), down: at(3, 3 * MIB) },
    { kind: 'node', guid: 'n', name: 'Far', up: zeros(24), down: at(4, MIB) },
  ],
  total: { up: MIB, down: 4 * MIB },
  before: { from: START - 24 * HOUR, to: START, up: 0, down: 4 * MIB },
  today: { up: MIB, down: 4 * MIB, before: { up: 0, down: 10 * MIB } },
  month: { up: 0, down: 0, before: { up: 0, down: 0 } },
  now: START + 6 * HOUR,
  timeZone: 'UTC',
};

async function show(address = '/', responses: Responses = {}, language: 'en' | 'fa' = 'en') {
  const { sent } = await renderPage(
    <TrafficPage />,
    {
      'GET /panel/api/traffic/history': DAY,
      'GET /panel/api/traffic/hours': { days: 30, up: zeros(24), down: at(20, 30 * MIB) },
      'GET /panel/api/traffic/top': {
        from: START,
        to: START + 24 * HOUR,
        countedUntil: START + HOUR,
        bytes: 8 * MIB,
        clientCount: 2,
        clients: [
          { email: 'bob', bytes: 6 * MIB },
          { email: 'alice', bytes: 2 * MIB },
        ],
      },
      'GET /panel/api/inbounds/options': [],
      'GET /panel/api/nodes/list': [],
      'GET /panel/api/clients/list/paged': { items: [], groups: [] },
      ...responses,
    },
    address,
    language,
  );
  const queries = (name: string) =>
    sent
      .filter(({ path }) => path.includes(`/traffic/${name}`))
      .map(({ path }) => new URL(path, 'http://x').searchParams);
  return { queries };
}

beforeEach(() => {
  // The width of a chart, which the simulated browser lacks.
  vi.stubGlobal(
    'ResizeObserver',
    class {
      readonly #callback: ResizeObserverCallback;
      constructor(callback: ResizeObserverCallback) {
        this.#callback = callback;
      }
      observe(target: Element): void {
        const box = { width: 800, height: 240 };
        this.#callback([{ target, contentRect: box } as ResizeObserverEntry], this);
      }
      unobserve(): void {}
      disconnect(): void {}
    },
  );
});

afterEach(() => void vi.unstubAllGlobals());

it('compares with the period before, and reads every bar by keyboard and as a table', async () => {
  const { queries } = await show();
  expect(await screen.findByText('25% more than the day before (4 MiB)')).toBeDefined();
  expect(screen.getByText('50% less than the day before (10 MiB)')).toBeDefined();
  expect(screen.getByText('Up 1 MiB, down 4 MiB, counted at 2 places.')).toBeDefined();
  expect(queries('history')[0]?.toString()).toBe('subject=all&period=day&calendar=gregory');
  const chart = await screen.findByRole('slider', { name: 'Traffic by time and source' });
  chart.focus();
  await userEvent.keyboard('{Home}{ArrowRight}{ArrowRight}{ArrowRight}');
  expect(chart.getAttribute('aria-valuetext')).toBe('May 5, 2026, 03:00 AM – 04:00 AM: up 1 MiB, down 3 MiB');
  await userEvent.click(screen.getByText('The same in figures'));
  const rows = within(await screen.findByRole('region', { name: 'The same in figures' })).getAllByRole('row');
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    'TimeCounted byUpDown',
    'May 5, 2026, 03:00 AM – 04:00 AMThis panel1 MiB3 MiB',
    'May 5, 2026, 04:00 AM – 05:00 AMFar0 B1 MiB',
  ]);
});

it('steps to other days, opens a bar’s days, and keeps all of it in the address', async () => {
  const days = { ...DAY, step: 'day', now: START + 40 * 24 * HOUR };
  const { queries } = await show('/?period=month', { 'GET /panel/api/traffic/history': days });
  const chart = await screen.findByRole('slider', { name: 'Traffic by time and source' });
  chart.focus();
  await userEvent.keyboard('{Home}{Enter}');
  await waitFor(() =>
    expect(queries('history').at(-1)!.toString()).toContain(`period=day&calendar=gregory&at=${START}`),
  );
  await userEvent.click(screen.getByRole('button', { name: 'Earlier' }));
  await waitFor(() => expect(queries('history').at(-1)!.get('at')).toBe(String(START - 1)));
});

it('steps from week to week across a day of 23 hours', async () => {
  const [from, to] = [Date.UTC(2026, 2, 15, 23), Date.UTC(2026, 2, 22, 23)];
  const week = { ...DAY, step: 'quarterDay', from, to, now: to + 20 * 24 * HOUR, timeZone: 'Europe/Berlin' };
  const { queries } = await show('/?period=week', { 'GET /panel/api/traffic/history': week });
  await userEvent.click(await screen.findByRole('button', { name: 'Later' }));
  await waitFor(() => expect(queries('history').at(-1)!.get('at')).not.toBeNull());
  // Sunday, on which clocks go forward, is the last day of the next week.
  const at = Number(queries('history').at(-1)!.get('at'));
  expect(at).toBeGreaterThanOrEqual(Date.UTC(2026, 2, 28, 23));
  expect(at).toBeLessThan(Date.UTC(2026, 2, 29, 22));
});

it.each([
  ['Pacific/Auckland', 13],
  ['Pacific/Honolulu', -10],
])('a range has the days that its fields name: %s', async (timeZone, aheadHours) => {
  const from = Date.UTC(2026, 0, 5) - aheadHours * HOUR;
  const shown = { ...DAY, from, to: from + 24 * HOUR, now: from + HOUR, timeZone };
  const { queries } = await show('/', { 'GET /panel/api/traffic/history': shown });
  await screen.findByRole('slider', { name: 'Traffic by time and source' });
  await userEvent.click(screen.getByRole('radio', { name: 'Range' }));
  await waitFor(() => expect(queries('history').at(-1)!.get('period')).toBe('range'));
  expect(screen.getByLabelText('First day')).toHaveProperty('value', '2026-01-05');
  expect(screen.getByLabelText('Last day')).toHaveProperty('value', '2026-01-05');
  for (const bound of ['from', 'to']) {
    const day = Number(queries('history').at(-1)!.get(bound)) + aheadHours * HOUR;
    expect(new Date(day).toISOString()).toContain('2026-01-05');
  }
});

it('names the top clients, and asks for months of the Persian calendar where it is used', async () => {
  const { queries } = await show('/?period=month', {}, 'fa');
  expect(await screen.findByText(/bob/)).toBeDefined();
  expect(queries('top')[0]?.get('calendar')).toBe('persian');
  expect(screen.getByRole('link', { name: 'bob' }).getAttribute('href')).toBe('/?subject=client&name=bob');
});

it('asks for months of the calendar that names them, in any language', async () => {
  useCalendarChoice.setState({ isJalali: true });
  const { queries } = await show('/?period=month');
  expect(await screen.findByText(/bob/)).toBeDefined();
  expect(queries('top')[0]?.get('calendar')).toBe('persian');
  expect(queries('history')[0]?.get('calendar')).toBe('persian');
});

it('waits for a subject, and takes typed days', async () => {
  const { queries } = await show('/?subject=client');
  expect(await screen.findByText('Choose whose traffic to show.')).toBeDefined();
  expect(queries('history')).toEqual([]);
});

it('says why the bars cannot be read', async () => {
  await show('/?period=range&from=2026-05-01&to=2026-05-02', {
    'GET /panel/api/traffic/history': new Error('the disk is full'),
  });
  expect(await screen.findByText('the disk is full')).toBeDefined();
  expect(screen.queryByText('Choose a first and a last day.')).toBeNull();
});

it.each([
  ['group', 'clients/groups'],
  ['inbound', 'inbounds/options'],
  ['node', 'nodes/list'],
  ['client', 'clients/list/paged'],
])('says why there is no %s to choose', async (subject, path) => {
  await show(`/?subject=${subject}`, { [`GET /panel/api/${path}`]: new Error('the disk is full') });
  expect(await screen.findByText('the disk is full')).toBeDefined();
});

it('uses round steps for the scale, and leaves out labels without room', () => {
  expect(byteTicks(0)).toEqual([0, 1]);
  expect(byteTicks(3.5 * MIB)).toEqual([0, MIB, 2 * MIB, 3 * MIB, 4 * MIB]);
  expect(byteTicks(1000)).toEqual([0, 500, 1000]);
  expect(labelEvery(24, 50, 600)).toBe(2);
  expect(labelEvery(31, 58, 300)).toBe(7);
});

it('exports figures for spreadsheets, with names that look like formulas as text', () => {
  expect(
    historyCsv({ edges: DAY.edges, sources: DAY.sources as never }, (source) => (source === 0 ? '=1' : 'a,"b')),
  ).toBe(
    [
      '\uFEFFfrom,to,source,up_bytes,down_bytes',
      `2026-05-05T03:00:00.000Z,2026-05-05T04:00:00.000Z,'=1,${MIB},${3 * MIB}`,
      `2026-05-05T04:00:00.000Z,2026-05-05T05:00:00.000Z,"a,""b",0,${MIB}`,
      '',
    ].join('\r\n'),
  );
});
