import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { BackupsChoices } from '../../../../src-main/bridge/maintenance.ts';
import { renderPage } from '../../../testing/render-page.tsx';
import { ScheduleCard } from './schedule-card.tsx';

const CHOICES: BackupsChoices = {
  isOn: true,
  atMin: 21 * 60,
  off: [],
  ownAtMin: {},
  keep: { daily: 7, weekly: 4, monthly: 12 },
};

it('applies a typed number on blur, and no number on the way there', async () => {
  const changes: BackupsChoices[] = [];
  const change = (part: (choices: BackupsChoices) => Partial<BackupsChoices>): void =>
    void changes.push({ ...CHOICES, ...part(CHOICES) });
  await renderPage(<ScheduleCard choices={CHOICES} onChange={change} />, {});
  const daily = screen.getByLabelText('Days kept');
  await userEvent.clear(daily);
  await userEvent.type(daily, '14');
  expect(changes).toEqual([]);
  await userEvent.tab();
  expect(changes).toEqual([{ ...CHOICES, keep: { ...CHOICES.keep, daily: 14 } }]);

  const time = screen.getByLabelText('From');
  fireEvent.change(time, { target: { value: '02:00' } });
  fireEvent.change(time, { target: { value: '22:00' } });
  fireEvent.keyDown(time, { key: 'Enter' });
  expect(changes.slice(1)).toEqual([{ ...CHOICES, atMin: 22 * 60 }]);

  await userEvent.clear(daily);
  await userEvent.tab();
  expect(daily).toHaveProperty('value', '7');
  expect(changes).toHaveLength(2);
});
