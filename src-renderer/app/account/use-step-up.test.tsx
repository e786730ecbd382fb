import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { CallError } from '../../api/transport.ts';
import { renderPage } from '../../testing/render-page.tsx';
import type { Proof } from './step-up.tsx';
import { useStepUp } from './use-step-up.tsx';

const required = new CallError('refused', 'confirm', 'session.stepUpRequired');
const wrong = new CallError('refused', 'wrong password', 'session.stepUpFailed');

/** Undefined = it succeeds; a promise = it takes time. */
type Outcome = CallError | Promise<void> | undefined;

/** Sends a change that has the given outcomes, one per attempt. */
function Change({ outcomes, sent }: { outcomes: Outcome[]; sent: Proof[] }) {
  const { prove, dialog } = useStepUp();
  const [end, setEnd] = useState('');
  const action = (proof: Proof): Promise<void> => {
    const outcome = outcomes[sent.push(proof) - 1];
    return outcome instanceof CallError ? Promise.reject(outcome) : (outcome ?? Promise.resolve());
  };
  const handleClick = (): void => {
    prove(action).then(
      (isDone) => setEnd(isDone ? 'done' : 'closed'),
      (error: Error) => setEnd(error.message),
    );
  };
  return (
    <>
      <button type="button" onClick={handleClick}>
        change
      </button>
      <output>{end}</output>
      {dialog}
    </>
  );
}

async function change(...outcomes: Outcome[]): Promise<Proof[]> {
  const sent: Proof[] = [];
  await renderPage(<Change outcomes={outcomes} sent={sent} />, {});
  await userEvent.click(screen.getByRole('button', { name: 'change' }));
  return sent;
}
const end = () => expect.poll(() => screen.getByRole('status', { hidden: true }).textContent);

describe('a delicate change', () => {
  it('is sent once when no proof is required', async () => {
    const sent = await change(undefined);
    await end().toBe('done');
    expect(sent).toEqual([{}]);
  });

  it('is sent again with the password, also after a wrong one', async () => {
    const sent = await change(required, wrong, undefined);
    await userEvent.type(await screen.findByLabelText('Current password'), 'a');
    await userEvent.click(screen.getByRole('button', { name: 'Confirm' }));
    expect(await screen.findByText('wrong password')).toBeTruthy();
    await userEvent.type(screen.getByLabelText('Current password'), 'b');
    await userEvent.click(screen.getByRole('button', { name: 'Confirm' }));
    await end().toBe('done');
    expect(sent).toEqual([{}, { currentPassword: 'a' }, { currentPassword: 'ab' }]);
  });

  it('is sent once for a proof, and not given up while it is under way', async () => {
    let succeed = (): void => undefined;
    const sent = await change(required, new Promise<void>((resolve) => (succeed = resolve)));
    await userEvent.type(await screen.findByLabelText('Current password'), 'a{Enter}{Enter}');
    expect(sent).toEqual([{}, { currentPassword: 'a' }]);
    await userEvent.keyboard('{Escape}');
    expect(screen.getByLabelText('Current password')).toBeTruthy();
    succeed();
    await end().toBe('done');
  });

  it('is given up when the dialog is closed', async () => {
    await change(required);
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
    await end().toBe('closed');
  });

  it('passes other failures on', async () => {
    await change(new CallError('refused', 'taken', 'token.nameTaken'));
    await end().toBe('taken');
  });
});
