import { describe, expect, it } from 'vitest';
import { deepLinkIn, readDeepLink } from './deep-link.ts';
import { externalLink } from './external-link.ts';
import { isNavigable, isOwnPage } from './own-page.ts';
import { isPermitted } from './permissions.ts';

const LOOK_ALIKES = [
  undefined,
  '',
  'app',
  'app:panel',
  'app:/panel/',
  'https://panel/',
  'http://app/panel',
  'app://panel.evil.example/',
  'app://panel@evil.example/',
  'app://evil.example/panel',
  'app://evil.example/?app://panel/',
  'app://evil.example/#app://panel/',
  'app://panel:80/',
  'app://user@panel/',
  'app://user:pass@panel/',
  'app://PANEL.evil/',
  'app://раnel/',
  'app://panel%2eevil.example/',
  'application://panel/',
  'xapp://panel/',
  'https://evil.example/app://panel/',
  'data:text/html,app://panel/',
  'javascript:location="app://panel/"',
  'blob:app://panel/1-2-3',
  'file:///app/panel/index.html',
  'about:blank',
  'about:srcdoc',
  'filesystem:app://panel/x',
  'view-source:app://panel/',
  'devtools://devtools/bundled/app://panel',
];

describe('our own pages', () => {
  it.each(['app://panel/', 'app://panel', 'app://panel/panel/clients?page=2#x'])('%s', (url) => {
    expect(isOwnPage(url)).toBe(true);
  });
  it.each(LOOK_ALIKES)('not %s', (url) => {
    expect(isOwnPage(url)).toBe(false);
    expect(isNavigable(url ?? '')).toBe(false);
  });
});

describe('navigation', () => {
  it.each(['app://panel/', 'app://panel/panel', 'app://panel/panel/clients?q=a'])('goes to %s', (url) => {
    expect(isNavigable(url)).toBe(true);
  });
  it.each([
    'app://panel/panel/api/clients/list',
    'app://panel/panel/api',
    'app://panel/panel/../panel/api/backup',
    'app://panel/login',
    'app://panel/csrf-token',
    'app://panel/assets/main.js',
    'app://panel/setup/x',
    'app://panel/panelx',
  ])('never to %s', (url) => {
    expect(isNavigable(url)).toBe(false);
  });
});

describe('external links', () => {
  it('https with its real host', () => {
    expect(externalLink('https://example.org/a?b#c')).toEqual({
      url: 'https://example.org/a?b#c',
      host: 'example.org',
    });
    expect(externalLink('https://gооgle.com/')?.host).toMatch(/^xn--/);
    expect(externalLink('https://example.org:8443/')?.host).toBe('example.org:8443');
  });
  it.each([
    'http://example.org/',
    'https://',
    'https:///',
    'https://user@example.org/',
    'https://example.org:secret@evil.example/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,x',
    'smb://host/share',
    'ms-settings:',
    'vbscript:x',
    'switchyard://open/clients',
    'app://panel/',
    'ssh://host',
    'mailto:a@b',
    '//example.org',
    'example.org',
    `https://example.org/${'x'.repeat(2048)}`,
  ])('refuses %s', (url) => {
    expect(externalLink(url)).toBeNull();
  });
});

describe('deep links', () => {
  it('open a page with its filters', () => {
    expect(readDeepLink('switchyard://open/clients?status=expiring&client=a%40b')).toEqual({
      kind: 'open',
      path: '/panel/clients?status=expiring&client=a%40b',
    });
    expect(readDeepLink('switchyard://open')).toEqual({ kind: 'open', path: '/panel' });
    expect(readDeepLink('switchyard://open/journal')).toEqual({ kind: 'open', path: '/panel/journal' });
    expect(readDeepLink('switchyard://open/connections')).toEqual({ kind: 'open', path: '/desktop/connections' });
  });
  it('prefill a connection, without the hidden parts of its address', () => {
    expect(readDeepLink('switchyard://connect?url=https%3A%2F%2Fu%3Ap%40box%3A2053%2Fbase%2F%3Fx&name=Box')).toEqual({
      kind: 'connect',
      url: 'https://box:2053/base/',
      name: 'Box',
    });
  });
  it.each([
    'switchyard://open/api/clients/del',
    'switchyard://open/../login',
    'switchyard://open/clients/../api/backup',
    'switchyard://open/%2e%2e/login',
    'switchyard://open//evil.example/',
    'switchyard://open@evil.example/clients',
    'switchyard://evil.example/open/clients',
    'switchyard://connect?url=javascript:alert(1)',
    'switchyard://connect?url=file:///etc/passwd',
    'switchyard://connect',
    'switchyard:open/clients',
    'https://open/clients',
    'xswitchyard://open/clients',
    `switchyard://open/clients?${'x'.repeat(2048)}`,
  ])('refuses %s', (link) => {
    expect(readDeepLink(link)).toBeNull();
  });
  it('are found among arguments, not inside one', () => {
    expect(deepLinkIn(['/usr/bin/app', '--hidden', 'switchyard://open/logs'])).toBe('switchyard://open/logs');
    expect(deepLinkIn(['/usr/bin/app', '--x=switchyard://open/logs'])).toBeNull();
  });
});

describe('permissions', () => {
  it('only two, and only for our pages', () => {
    expect(isPermitted('notifications', 'app://panel/panel')).toBe(true);
    expect(isPermitted('clipboard-sanitized-write', 'app://panel/')).toBe(true);
    for (const url of LOOK_ALIKES) expect(isPermitted('notifications', url)).toBe(false);
  });
  it.each(['media', 'geolocation', 'clipboard-read', 'openExternal', 'hid', 'usb', 'fullscreen', 'unknown', ''])(
    'never %s',
    (permission) => {
      expect(isPermitted(permission, 'app://panel/')).toBe(false);
    },
  );
});
