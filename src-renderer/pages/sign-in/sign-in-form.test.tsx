import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';
import { SignInForm } from './sign-in-form.tsx';

const MINUTE_MS = 60_000;
let response: unknown;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  sessionStorage.clear();
  response = Object.assign(new Error('Invalid username or password or two-factor code.'), { code: 'session.refused' });
});
afterEach(() => {
  vi.useRealTimers();
  Reflect.deleteProperty(globalThis, 'desktop');
});

async function open(language: 'en' | 'fa' = 'en') {
  const user = userEvent.setup();
  const onDone = vi.fn();
  const { sent } = await renderPage(
    <SignInForm onDone={onDone} />,
    {
      'POST /getTwoFactorEnable': false,
      'POST /login': () => response,
    },
    '/',
    language,
  );
  const words = language === 'en' ? { name: /User name/, submit: 'Sign in' } : { name: /نام کاربری/, submit: 'ورود' };
  await user.type(await screen.findByLabelText(words.name), 'root');
  await user.type(screen.getByLabelText(language === 'en' ? /Password/ : /^گذرواژه/), 'guess');
  const press = () => user.click(screen.getByRole('button', { name: words.submit }));
  return { user, onDone, press, attempts: () => sent.filter(({ path }) => path === '/login').length };
}

test('the fifth refusal locks the name for fifteen minutes, with a countdown, and then ends by itself', async () => {
  const { user, press, attempts, onDone } = await open();
  for (let failure = 1; failure <= 5; failure++) {
    await press();
    await screen.findByRole('alert');
    if (failure === 4) expect(await screen.findByText(/One more failed attempt/)).toBeTruthy();
  }
  expect((await screen.findByRole('timer')).textContent).toBe('You can try again in 15 minutes 0 seconds.');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Sign in' }).disabled).toBe(true);
  await user.type(screen.getByLabelText(/Password/), '{Enter}');
  expect(attempts()).toBe(5);

  act(() => void vi.advanceTimersByTime(14 * MINUTE_MS + 58_000));
  expect(screen.getByRole('timer').textContent).toContain('2 seconds');
  // Another name is not locked.
  await user.type(screen.getByLabelText(/User name/), '2');
  expect(screen.queryByRole('timer')).toBeNull();
  await user.type(screen.getByLabelText(/User name/), '{Backspace}');

  act(() => void vi.advanceTimersByTime(3_000));
  expect(screen.queryByRole('timer')).toBeNull();
  response = null;
  await press();
  expect(attempts()).toBe(6);
  expect(onDone).toHaveBeenCalledOnce();
});

test('a reload keeps the lock', async () => {
  const { press } = await open();
  for (let failure = 1; failure <= 5; failure++) await press();
  expect(await screen.findByRole('timer')).toBeTruthy();
  document.body.replaceChildren();
  await open();
  expect(await screen.findByRole('timer')).toBeTruthy();
});

test('a lock at one panel says nothing about the same name at another one of the window', async () => {
  const connectedTo = (address: string) =>
    Object.assign(globalThis, { desktop: { connections: { list: async () => [{ isCurrent: true, address }] } } });
  connectedTo('https://one.example/');
  const { press } = await open();
  for (let failure = 1; failure <= 5; failure++) await press();
  expect(await screen.findByRole('timer')).toBeTruthy();
  document.body.replaceChildren();
  connectedTo('https://other.example/');
  await open();
  expect(screen.queryByRole('timer')).toBeNull();
});

test('a code is sent as six plain digits, however it was typed', async () => {
  const user = userEvent.setup();
  const { sent } = await renderPage(<SignInForm onDone={vi.fn()} />, {
    'POST /getTwoFactorEnable': true,
    'POST /login': null,
  });
  await user.type(await screen.findByLabelText(/User name/), 'root');
  await user.type(screen.getByLabelText(/Password/), 'pass');
  await user.click(await screen.findByRole('button', { name: 'Next' }));
  await user.type(await screen.findByLabelText(/Two-factor code/), '۱۲۳ 4٥6');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  await expect.poll(() => sent.at(-1)?.body).toMatchObject({ twoFactorCode: '123456' });
});

test('a failure unrelated to the password does not count', async () => {
  response = Object.assign(new Error('Too many sign-ins'), { code: 'session.overloaded' });
  const { press } = await open();
  for (let attempt = 1; attempt <= 6; attempt++) await press();
  expect(await screen.findByRole('alert')).toBeTruthy();
  expect(screen.queryByRole('timer')).toBeNull();
});

test('the refusal and the wait are shown in Persian to a Persian reader', async () => {
  const { press } = await open('fa');
  await press();
  expect((await screen.findByRole('alert')).textContent).toBe('نام کاربری، گذرواژه یا کد دومرحله‌ای نادرست است.');
  for (let failure = 2; failure <= 5; failure++) await press();
  expect((await screen.findByRole('timer')).textContent).toMatch(/۱۵ دقیقه و ۰ ثانیه/);
});

test('a user name is sent without the blanks around it, as it is stored', async () => {
  const onDone = vi.fn();
  response = null;
  const user = userEvent.setup();
  const { sent } = await renderPage(<SignInForm onDone={onDone} />, {
    'POST /getTwoFactorEnable': false,
    'POST /login': () => response,
  });
  await user.type(await screen.findByLabelText(/User name/), ' root ');
  await user.type(screen.getByLabelText(/Password/), ' pass ');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  await expect.poll(() => onDone.mock.calls.length).toBe(1);
  expect(sent.at(-1)?.body).toMatchObject({ username: 'root', password: ' pass ' });
});
