import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import type { JsonObject } from '#wire/json';
import { renderPage } from '../../../testing/render-page.tsx';
import { ServerFields } from './server-fields.tsx';

let outbound: JsonObject;

function Fields({ first }: { first: JsonObject }) {
  const [edited, setEdited] = useState(first);
  const handleEdit = (next: JsonObject): void => {
    outbound = next;
    setEdited(next);
  };
  return <ServerFields outbound={edited} onEdit={handleEdit} />;
}

it('an account whose name and password were cleared is gone: the core would sign in with empty ones', async () => {
  const server = { address: 'a.example', port: 1080 };
  const users = [{ user: 'u', pass: 'p' }];
  await renderPage(<Fields first={{ protocol: 'socks', settings: { servers: [{ ...server, users }] } }} />, {});
  await userEvent.clear(await screen.findByLabelText('User'));
  expect(outbound).toMatchObject({ settings: { servers: [{ users: [{ pass: 'p' }] }] } });
  await userEvent.clear(screen.getByLabelText('Password'));
  expect(outbound).toEqual({ protocol: 'socks', settings: { servers: [server] } });
});
