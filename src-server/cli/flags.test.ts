import { describe, expect, it } from 'vitest';
import { defaultDataDir } from './data-dir.ts';
import { parseServerFlags, toArguments, toOverrides } from './flags.ts';

const parse = (text: string, env: NodeJS.ProcessEnv = {}) => parseServerFlags(text === '' ? [] : text.split(' '), env);

describe('parseServerFlags', () => {
  it('reads every flag, and turns them back into equivalent arguments', () => {
    const parsed = parse(
      '--data-dir /srv/p --listen ::1 --port 0 --sub-port=65535 --core /opt/x --log-level debug --window-socket /tmp/w --database postgres://me@db/panel --role panel',
    );
    const flags = {
      dataDir: '/srv/p',
      listen: '::1',
      port: 0,
      subPort: 65_535,
      core: '/opt/x',
      logLevel: 'debug',
      windowSocket: '/tmp/w',
      restoreBackup: null,
      database: 'postgres://me@db/panel',
      role: 'panel',
    };
    expect(parsed).toEqual({ ok: true, flags });
    if (!parsed.ok) return;
    expect(parseServerFlags(toArguments(parsed.flags), {})).toEqual(parsed);
    expect(toOverrides(parsed.flags)).toEqual({ webListen: '::1', subListen: '::1', webPort: 0, subPort: 65_535 });
  });

  it('leaves everything else to the stored settings', () => {
    const parsed = parse('', { XDG_DATA_HOME: '/home/me/data' });
    expect(parsed).toEqual({
      ok: true,
      flags: {
        dataDir: defaultDataDir({ XDG_DATA_HOME: '/home/me/data' }),
        listen: null,
        port: null,
        subPort: null,
        core: null,
        logLevel: 'info',
        windowSocket: null,
        restoreBackup: null,
        database: null,
        role: 'all',
      },
    });
    if (parsed.ok) expect(toOverrides(parsed.flags)).toEqual({});
  });

  it('takes PANEL_PORT for a missing --port', () => {
    expect(parse('', { PANEL_PORT: '8080' })).toMatchObject({ flags: { port: 8080 } });
    expect(parse('--port 1', { PANEL_PORT: '8080' })).toMatchObject({ flags: { port: 1 } });
    expect(parse('', { PANEL_PORT: '' })).toMatchObject({ flags: { port: null } });
    expect(parse('', { PANEL_PORT: 'x' })).toMatchObject({ ok: false });
  });

  it.each([
    ['--prot 1', /--prot/],
    ['extra', /extra/],
    ['--port', /--port/],
    ['--port 65536', 'from 0 to 65535, not "65536"'],
    ['--port 1e3', 'not "1e3"'],
    ['--sub-port -1', /--sub-port/],
    ['--listen localhost', '--listen must be an IP address, not "localhost"'],
    ['--data-dir=', '--data-dir needs a value'],
    ['--log-level loud', /debug, info, warn, error/],
  ])('refuses %s', (text, complaint) => {
    const parsed = parse(text);
    expect(parsed.ok).toBe(false);
    if (!parsed.ok) expect(parsed.text).toMatch(complaint);
  });
});

describe('defaultDataDir', () => {
  it('is the place of the system', () => {
    expect(defaultDataDir({ XDG_DATA_HOME: '/x' }, 'linux')).toBe('/x/switchyard');
    expect(defaultDataDir({ XDG_DATA_HOME: 'relative' }, 'linux')).toMatch(/\.local\/share\/switchyard$/);
    expect(defaultDataDir({}, 'darwin')).toMatch(/Library\/Application Support\/Switchyard$/);
    expect(defaultDataDir({ APPDATA: '/a' }, 'win32')).toBe('/a/Switchyard');
  });
});
