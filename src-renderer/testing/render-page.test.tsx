import { useQuery } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { listGroups } from '#contract/groups';
import { useCall } from '../api/transport-context.tsx';
import { useConnection } from '../stores/connection.ts';
import { renderPage } from './render-page.tsx';

const late = Promise.withResolvers<unknown>();

function Groups() {
  const call = useCall();
  useQuery({ queryKey: ['groups'], queryFn: () => call(listGroups, {}) });
  return null;
}

it('a test ends while its page still waits for an answer', async () => {
  const { sent } = await renderPage(<Groups />, { 'GET /panel/api/clients/groups': () => late.promise });
  await expect.poll(() => sent.length).toBe(1);
});

it('the answer does not reach the next test', async () => {
  late.resolve([]);
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(useConnection.getState().wasSignedIn).toBe(false);
});
