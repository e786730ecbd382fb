import { describe, expect, it } from 'vitest';
import type { PanelEvent } from '../../src-server/contract/events.ts';
import type { Job } from '../../src-server/domains/jobs/contract.ts';
import { textsFor } from '../texts/texts.ts';
import { createJobWatch, createRateLimit, isSeen, noticeFor } from './rules.ts';

const texts = textsFor('en');

describe('events that cause a notification', () => {
  it.each<[PanelEvent, string | null]>([
    [
      {
        type: 'told',
        kind: 'node.down',
        path: '/panel/nodes?show=1',
        words: { en: { title: 'Node de-1 is not reached', body: '' }, fa: { title: 'x', body: '' } },
      },
      'Node de-1 is not reached',
    ],
    [{ type: 'coreCrash', text: 'signal 9' }, null],
    [{ type: 'notification', title: 'CPU', body: '95 %', severity: 'warning' }, 'CPU'],
    [{ type: 'notification', title: 'Saved', body: '', severity: 'success' }, null],
    [{ type: 'invalidate', resource: 'clients' }, null],
    [{ type: 'coreState', state: 'running' }, null],
  ])('%j', (event, title) => {
    expect(noticeFor(event, texts)?.title ?? null).toBe(title);
    // A click opens it there, whatever panel the window shows by then.
    expect(noticeFor(event, texts)?.panelId).toBe(title === null ? undefined : 'local');
  });
});

it('only what the connected panel reports is seen in the window', () => {
  const notice = { kind: 'node', title: 'Node de-1 is not reached', body: '', path: '/panel/nodes', panelId: 'local' };
  expect(isSeen(notice, true, 'local')).toBe(true);
  expect(isSeen(notice, true, 'office')).toBe(false);
  expect(isSeen(notice, false, 'local')).toBe(false);
});

describe('jobs', () => {
  const job = (id: string, state: Job['state']): Job => ({
    id,
    kind: 'k',
    title: `Job ${id}`,
    state,
    isCancelling: false,
    done: 0,
    total: 0,
    stage: '',
    startedAt: 0,
    finishedAt: 0,
    error: state === 'failed' ? 'no room' : '',
    errorCode: '',
  });
  it('are reported when they end, once, and not if they had ended before', () => {
    const watch = createJobWatch(texts);
    expect(watch([job('old', 'done'), job('a', 'running'), job('b', 'running')], 'office')).toEqual([]);
    const ended = watch([job('old', 'done'), job('a', 'done'), job('b', 'failed')], 'office');
    expect(ended.map(({ title, body, panelId }) => [title, body, panelId])).toEqual([
      ['Done: Job a', '', 'office'],
      ['Failed: Job b', 'no room', 'office'],
    ]);
    expect(watch([job('a', 'done'), job('b', 'failed')], 'office')).toEqual([]);
  });
});

describe('a burst', () => {
  it('is shown three times a minute per kind; the rest is counted and reported with the next', () => {
    let nowMs = 0;
    const limit = createRateLimit(texts, () => nowMs);
    const notice = (kind: string) => ({ kind, title: kind, body: '', path: '/panel', panelId: 'local' });
    const shown = Array.from({ length: 8 }, () => limit(notice('login'))).filter((each) => each !== null);
    expect(shown).toHaveLength(3);
    expect(limit(notice('core'))?.body).toBe('');
    nowMs = 60_001;
    expect(limit(notice('login'))?.body).toBe('and 5 more');
    expect(limit(notice('login'))?.body).toBe('');
  });
});
