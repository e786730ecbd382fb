import { beforeEach, describe, expect, it } from 'vitest';
import type { PanelCard, PanelsChoices } from '../../bridge/panels.ts';
import { textsFor } from '../../texts/texts.ts';
import { FIRST_CHOICES } from '../panels-choices.ts';
import { isQuiet } from './notices.ts';
import { createWatch } from './watch-rules.ts';

let notices: string[];
let choices: PanelsChoices;
let nowMs: number;
let waiting: (() => void)[];
let remotes: string[];
let watch: ReturnType<typeof createWatch>;
/** Today at an hour of this computer's clock. */
const at = (hour: number): number => new Date(2026, 10, 23, hour).getTime();
beforeEach(() => {
  notices = [];
  waiting = [];
  remotes = ['a', 'b', 'c'];
  choices = FIRST_CHOICES;
  nowMs = at(12);
  watch = createWatch({
    texts: () => textsFor('en'),
    nameOf: (id) => id.toUpperCase(),
    choices: () => choices,
    clock: () => nowMs,
    later: (_ms, work) => void waiting.push(work),
    remotes: () => remotes,
    tell: ({ title, body }) => notices.push(body === '' ? title : `${title}: ${body}`),
  });
  for (const id of ['a', 'b', 'c']) watch.take([card(id)]);
});
const gather = (): void => waiting.splice(0).forEach((work) => work());

function card(id: string, more: Partial<PanelCard> = {}): PanelCard {
  return {
    id,
    state: 'ok',
    detail: '',
    sinceMs: 0,
    readAtMs: 1,
    latencyMs: 1,
    machine: {
      cpuPct: 1,
      memPct: 1,
      diskPct: 1,
      upPerSec: 0,
      downPerSec: 0,
      uptimeSec: 1,
      panelVersion: '1',
      coreVersion: '1',
      coreState: 'running',
      coreError: '',
      coreRestarts: 0,
    },
    clients: { total: 10, online: 4, depleted: 1, expiring: 0, disabled: 0 },
    inbounds: { total: 3, on: 2 },
    nodes: { total: 0, offline: 0 },
    certificateEndsAtMs: null,
    backupAtMs: null,
    matters: [],
    line: [],
    ...more,
  };
}
const down = (id: string): void => watch.take([card(id, { state: 'down' })]);

describe('a panel that goes down', () => {
  it('is reported once, with its load, and once when it is back', () => {
    down('a');
    down('a');
    expect(notices).toEqual([]);
    gather();
    down('a');
    expect(notices).toEqual(['A does not answer: Inbounds it served: 2. Clients online: 4.']);
    watch.take([card('a')]);
    watch.take([card('a')]);
    expect(notices.slice(1)).toEqual(['A answers again']);
  });
  it('is not reported when it comes back at once', () => {
    down('a');
    watch.take([card('a')]);
    gather();
    expect(notices).toEqual([]);
  });
  it('is one of many when this computer has lost its network', () => {
    for (const id of ['a', 'b', 'c']) down(id);
    gather();
    for (const id of ['b', 'a', 'c']) watch.take([card(id)]);
    expect(notices).toEqual([
      'No panel answers: Mostly it is the network of this computer.',
      'The panels answer again',
    ]);
  });
  it('is reported by itself when the others are back, and again each time', () => {
    for (const id of ['a', 'b', 'c']) down(id);
    gather();
    watch.take([card('a')]);
    watch.take([card('b')]);
    gather();
    expect(notices.slice(1)).toEqual(['C does not answer']);
    down('a');
    gather();
    watch.take([card('a')]);
    watch.take([card('c')]);
    expect(notices.slice(2)).toEqual([expect.stringContaining('A does not'), 'A answers again', 'C answers again']);
  });
  it('of all panels is over once those that are still saved answer', () => {
    for (const id of ['a', 'b', 'c']) down(id);
    gather();
    remotes = ['a', 'b'];
    watch.take([card('a')]);
    watch.take([card('b')]);
    gather();
    expect(notices.slice(1)).toEqual(['The panels answer again']);
  });
  it('of all panels in quiet hours is reported afterwards, too, unless they are back', () => {
    choices = { ...FIRST_CHOICES, quiet: { fromMin: 22 * 60, toMin: 7 * 60 } };
    nowMs = at(23);
    for (const id of ['a', 'b', 'c']) down(id);
    gather();
    for (const id of ['a', 'b', 'c']) watch.take([card(id)]);
    for (const id of ['a', 'b', 'c']) down(id);
    gather();
    expect(notices).toEqual([]);
    nowMs = at(8);
    down('a');
    expect(notices).toEqual([expect.stringContaining('No panel answers')]);
  });
  it('that was not reported before this computer slept is reported when it is still down after that', () => {
    down('a');
    watch.forgive();
    gather();
    down('a');
    gather();
    expect(notices).toEqual([expect.stringContaining('A does not answer')]);
  });
  it('is reported after quiet hours if it is still down', () => {
    choices = { ...FIRST_CHOICES, quiet: { fromMin: 22 * 60, toMin: 7 * 60 } };
    nowMs = at(23);
    down('a');
    down('b');
    gather();
    watch.take([card('b')]);
    expect(notices).toEqual([]);
    nowMs = at(8);
    watch.take([card('c')]);
    expect(notices).toEqual([expect.stringContaining('A does not answer')]);
  });
});

it('reports crashes, certificates and quotas, each once', () => {
  const machine = card('a').machine!;
  watch.take([card('a', { machine: { ...machine, coreState: 'error', coreError: 'bad config' } })]);
  watch.take([card('a', { machine: { ...machine, coreState: 'error', coreError: 'bad config' } })]);
  watch.take([card('b', { machine: { ...machine, coreRestarts: 1 } })]);
  const ending = card('c', { matters: [{ kind: 'certificateEnding', name: 'Door', value: 5, words: '' }] });
  watch.take([ending, ending]);
  watch.take([card('a', { clients: { ...card('a').clients!, depleted: 4 } })]);
  expect(notices).toEqual([
    'The core of A stopped by itself: bad config',
    'The core of B stopped by itself',
    'A certificate of C ends soon: Door',
    'A: 3 more clients out of quota or time',
  ]);
});

it('respects the settings: kinds of a panel, and whether anything is watched', () => {
  choices = { ...FIRST_CHOICES, muted: { a: ['down'] } };
  down('a');
  gather();
  choices = { ...FIRST_CHOICES, isWatching: false };
  down('b');
  gather();
  expect(notices).toEqual([]);
});

it('reports neither findings of the first reading, nor those of this computer’s panel', () => {
  const matters = [{ kind: 'certificateEnded' as const, name: 'Door', value: 5, words: '' }];
  watch.take([card('new', { state: 'waiting', readAtMs: 0, inbounds: null })]);
  watch.take([card('new', { matters })]);
  watch.take([card('dead', { state: 'waiting' })]);
  watch.take([card('dead', { state: 'down' })]);
  watch.take([card('local')]);
  watch.take([card('local', { state: 'down', matters })]);
  gather();
  expect(notices).toEqual([]);
});

it.each([
  [22, 7, 23, true],
  [22, 7, 6, true],
  [22, 7, 7, false],
  [9, 17, 12, true],
  [9, 17, 8, false],
])('quiet from %i to %i: at %i %s', (from, to, hour, is) => {
  expect(isQuiet({ fromMin: from * 60, toMin: to * 60 }, at(hour))).toBe(is);
});
