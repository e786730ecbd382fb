import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPage } from '../../../testing/render-page.tsx';
import { MailTestResult } from './mail-test.tsx';

const REFUSED = {
  success: false,
  stage: 'auth',
  msg: 'Authentication failed — check username and password: 535 no',
  code: 'mail.auth',
  answer: '535 no',
} as const;

it.each([
  ['en', 'Authentication failed — check username and password'],
  ['ru', 'Вход не удался — проверьте имя пользователя и пароль'],
] as const)('shows the words of a failure and the answer of the server, each once (%s)', async (language, words) => {
  await renderPage(<MailTestResult result={REFUSED} />, {}, '/', language);
  expect(screen.getAllByText(/535 no/).map(({ textContent }) => textContent)).toEqual(['535 no']);
  expect(screen.getByRole('alert').textContent).toBe(`${words}535 no`);
});
