import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderPage } from '../../../testing/render-page.tsx';
import { AccountForm } from './account-form.tsx';

it('takes a two-factor code in two groups and in any digits', async () => {
  const { sent } = await renderPage(<AccountForm isTwoFactorOn />, { 'POST /panel/api/setting/updateUser': null });
  await userEvent.type(await screen.findByLabelText(/^Present user name/), 'admin');
  await userEvent.type(screen.getByLabelText(/^Present password/), 'old password');
  await userEvent.type(screen.getByLabelText(/^New user name/), 'admin');
  await userEvent.type(screen.getByLabelText(/^New password(?! again)/), 'a long new password');
  await userEvent.type(screen.getByLabelText(/^New password again/), 'a long new password');
  await userEvent.type(screen.getByLabelText(/^Two-factor code/), '۱۲۳ 456');
  await userEvent.click(screen.getByRole('button', { name: 'Change credentials' }));
  await expect
    .poll(() => sent.find(({ path }) => path.endsWith('/updateUser'))?.body)
    .toMatchObject({ twoFactorCode: '123456' });
});
