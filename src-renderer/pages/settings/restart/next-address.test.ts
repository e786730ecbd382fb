import { describe, expect, it } from 'vitest';
import { nextAddress, type Place } from './next-address.ts';
import { usePanelRestart } from './restart-store.ts';

const PLACE: Place = { webPort: 2053, webBasePath: '/', webDomain: '', webCertFile: '', webKeyFile: '' };
const CERT = { webCertFile: '/c.pem', webKeyFile: '/k.pem' };
const HERE = 'http://192.168.1.5:2053/panel/settings/general';

describe('the page’s address after the panel moved', () => {
  it.each<[string, string, Partial<Place>, Partial<Place>, string | null]>([
    ['nothing changed', HERE, {}, {}, null],
    ['another port', HERE, {}, { webPort: 8443 }, 'http://192.168.1.5:8443/panel/settings/general'],
    ['a base path', HERE, {}, { webBasePath: '/x' }, 'http://192.168.1.5:2053/x/panel/settings/general'],
    [
      'a base path left',
      'http://h:1/x/panel/settings',
      { webBasePath: '/x/' },
      { webBasePath: '/' },
      'http://h:1/panel/settings',
    ],
    ['a domain', HERE, {}, { webDomain: 'panel.example' }, 'http://panel.example:2053/panel/settings/general'],
    ['a domain taken away', HERE, { webDomain: 'panel.example' }, { webDomain: '' }, null],
    ['a certificate', HERE, {}, CERT, 'https://192.168.1.5:2053/panel/settings/general'],
    ['a certificate away', 'https://h/panel', CERT, {}, 'http://h:443/panel'],
    [
      'a certificate and the standard port',
      HERE,
      {},
      { ...CERT, webPort: 443 },
      'https://192.168.1.5/panel/settings/general',
    ],
    ['a port, seen from the desktop window', 'app://panel/panel/settings', {}, { webPort: 8443 }, null],
    ['another certificate', 'https://h:1/panel', CERT, { ...CERT, webCertFile: '/d.pem' }, null],
  ])('%s', (_, here, before, after, expected) => {
    expect(nextAddress(here, { ...PLACE, ...before }, { ...PLACE, ...after }, {})).toBe(expected);
  });

  it('is the same where a start option overrides what is stored', () => {
    const after = { ...PLACE, webPort: 8443, webBasePath: '/x/' };
    for (const webPort of [2053, 0])
      expect(nextAddress(HERE, PLACE, after, { webPort })).toBe('http://192.168.1.5:2053/x/panel/settings/general');
    expect(nextAddress(HERE, PLACE, after, { webPort: 2053, webBasePath: '/' })).toBeNull();
  });
});

it('a certificate that is set and removed again before the restart moves nothing', () => {
  const { need } = usePanelRestart.getState();
  const secure = { ...PLACE, ...CERT };
  need(PLACE, nextAddress(HERE, PLACE, secure, {}));
  expect(usePanelRestart.getState().target).toMatch(/^https:/);
  // The second save knows the values the panel runs with, though others are stored by now.
  const running = usePanelRestart.getState().running ?? secure;
  need(secure, nextAddress(HERE, running, PLACE, {}));
  expect(usePanelRestart.getState()).toMatchObject({ phase: 'needed', target: null, running: PLACE });
});
