import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ImportPlan as Plan } from '#contract/import';
import { renderPage } from '../../../testing/render-page.tsx';
import { ImportPlan } from './import-plan.tsx';

const NONE = {
  inbounds: 0,
  clients: 0,
  attachments: 0,
  groups: 0,
  hosts: 0,
  externalLinks: 0,
  settings: 0,
  apiTokens: 0,
};
const planOf = (kind: Plan['kind']): Plan => ({
  kind,
  version: 1,
  counts: NONE,
  willCome: [],
  cannotCome: [],
  certificates: 'none',
  settingsKept: [],
});

it('says whose passwords are valid after a restore', async () => {
  await renderPage(<ImportPlan plan={planOf('own')} />, {});
  await screen.findByText(/Sign in with them afterwards/);
});

it('says no such thing of another panel, whose administrators are not imported', async () => {
  await renderPage(<ImportPlan plan={planOf('otherPanel')} />, {});
  await screen.findByText('The database of another panel.');
  expect(screen.queryByText(/Sign in with them/)).toBeNull();
});
