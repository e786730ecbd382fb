import { API_TOKEN } from '../../src-server/testing/credentials.ts';
import { SavedConnection } from '../connections/connection.ts';
import type { PanelTarget } from './messages.ts';

/** A saved panel, for tests. */
export const target = (id: string, address: string, token = API_TOKEN) =>
  ({
    kind: 'remote',
    saved: SavedConnection.parse({
      id,
      name: id,
      color: 'blue',
      address,
      signIn: 'token',
      trust: { mode: 'verify' },
      lastUsedAtMs: 0,
    }),
    secrets: { token },
  }) satisfies PanelTarget;
