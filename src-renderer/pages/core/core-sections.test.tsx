import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '#wire/json';
import type { RawRequest } from '../../api/transport.ts';
import { renderPage, type Responses } from '../../testing/render-page.tsx';
import { BalancersSection } from './balancers/balancers-section.tsx';
import { BasicsSection } from './basics/basics-section.tsx';
import { DnsSection } from './dns/dns-section.tsx';
import { DraftBar } from './draft/draft-bar.tsx';
import { DraftView } from './draft/draft-view.tsx';
import { SETTINGS_KEY } from './draft/use-core-settings.ts';
import { loadDraft, useDraft, useTestUrl } from './model/draft.ts';
import { itemsAt, OUTBOUNDS, RULES, tagsAt } from './model/lists.ts';
import { OutboundsSection } from './outbounds/outbounds-section.tsx';
import { RoutingSection } from './routing/routing-section.tsx';

const CORE = '/panel/api/core';
const TEMPLATE: JsonObject = {
  log: { loglevel: 'warning', future: 1 },
  outbounds: [
    { tag: 'direct', protocol: 'freedom' },
    { tag: 'exit', protocol: 'socks', settings: { servers: [{ address: '192.0.2.1', port: 1080 }] } },
  ],
  routing: {
    rules: [
      { inboundTag: ['api'], outboundTag: 'api' },
      { domain: ['domain:example.org'], outboundTag: 'exit', mystery: true },
      { network: 'udp', outboundTag: 'direct' },
    ],
  },
};
const settings = (template: JsonObject = TEMPLATE) => ({
  xraySetting: JSON.stringify(template),
  inboundTags: '["in-1"]',
  clientReverseTags: '[]',
  outboundTestUrl: '',
});
const LIVE = { kind: 'live', reason: '', changes: [], coreWarnings: [] };

beforeEach(() => {
  useDraft.setState(useDraft.getInitialState());
  useTestUrl.setState(useTestUrl.getInitialState());
});

function show(section: ReactNode, responses: Responses = {}, address?: string) {
  return renderPage(
    <>
      <DraftView>{section}</DraftView>
      <DraftBar />
    </>,
    {
      [`POST ${CORE}/`]: settings(),
      [`POST ${CORE}/preview`]: LIVE,
      [`GET ${CORE}/getOutboundsTraffic`]: [],
      'GET /panel/api/server/status': { core: { state: 'running' } },
      'GET /panel/api/server/geoFiles': [
        { name: 'geosite.dat', size: 1, updatedAt: 0, kind: 'site', categories: ['cn'] },
      ],
      'GET /panel/api/clients/list/paged': { items: [], total: 0, filtered: 0 },
      ...responses,
    },
    address,
  );
}
/** As news of another admin's save does. */
function ReadAgain() {
  const client = useQueryClient();
  return <button onClick={() => void client.invalidateQueries({ queryKey: SETTINGS_KEY })}>Read again</button>;
}
const templateIn = ({ body }: RawRequest): JsonObject =>
  JSON.parse((body as { xraySetting: string }).xraySetting) as JsonObject;
/** All at once: each key would render the page again. */
async function enter(field: HTMLElement, text: string): Promise<void> {
  await userEvent.click(field);
  await userEvent.paste(text);
}
const draftRules = () => itemsAt(useDraft.getState().draft, RULES);

describe('the draft', () => {
  it('says what saving does, saves the rest unchanged, and takes over what the server stored', async () => {
    const stored = { ...TEMPLATE, log: { loglevel: 'warning', access: 'a.log', future: 1, byServer: true } };
    let isSaved = false;
    const { sent } = await show(<BasicsSection />, {
      [`POST ${CORE}/`]: () => settings(isSaved ? stored : TEMPLATE),
      [`POST ${CORE}/update`]: () => {
        isSaved = true;
        return { applied: 'restarted', reason: 'log', changes: [], coreWarnings: [] };
      },
      [`POST ${CORE}/preview`]: { kind: 'restart', reason: 'log', changes: [] },
    });
    await enter(await screen.findByLabelText('Access log'), 'a.log');
    const bar = within(screen.getByRole('region', { name: 'Unsaved changes' }));
    expect(bar.getByText('1 change')).toBeTruthy();
    expect(await bar.findByText('Restart needed', {}, { timeout: 3000 })).toBeTruthy();
    const drafts: JsonObject[] = [];
    useDraft.subscribe(({ draft }) => drafts.push(draft));
    await userEvent.click(bar.getByRole('button', { name: 'Save' }));
    await expect.poll(() => screen.queryByRole('region', { name: 'Unsaved changes' })).toBeNull();
    // The old one does not show in between.
    expect(drafts).not.toContainEqual(TEMPLATE);
    const saved = sent.find(({ path }) => path === `${CORE}/update`)!;
    expect(templateIn(saved)).toEqual({ ...TEMPLATE, log: { loglevel: 'warning', access: 'a.log', future: 1 } });
    expect(useDraft.getState().draft).toEqual(stored);
  });

  it('shows a refusal with its section and line, and keeps the typed text', async () => {
    const message = 'core rejects outbound "exit": no';
    const refusal = new Error(message, {
      cause: { issues: [{ field: 'outbounds[1]', rule: 'coreSettings.handlerRejected', message }] },
    });
    await show(<BasicsSection />, { [`POST ${CORE}/update`]: refusal });
    await userEvent.type(await screen.findByLabelText('Access log'), 'x');
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText(message)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Outbounds, entry 2' }).getAttribute('href')).toBe(
      '/panel/core/outbounds?outbound=1',
    );
    expect(screen.getByRole('link', { name: 'line 12' })).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(screen.queryByRole('region', { name: 'Unsaved changes' })).toBeNull();
  });

  it('asks whose version counts when another admin saved meanwhile', async () => {
    await show(<BasicsSection />);
    await userEvent.type(await screen.findByLabelText('Access log'), 'x');
    useDraft.setState({ startText: '{}' });
    await userEvent.click(await screen.findByRole('button', { name: 'Take theirs' }));
    expect(useDraft.getState().draft).toEqual(TEMPLATE);
  });

  it('asks too when the page has not heard of it: nothing is sent', async () => {
    let stored = settings();
    const { sent } = await show(<BasicsSection />, { [`POST ${CORE}/`]: () => stored });
    await enter(await screen.findByLabelText('Access log'), 'a.log');
    stored = settings({ ...TEMPLATE, dns: { servers: ['192.0.2.53'] } });
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    // In the bar: some sections are not about the draft.
    const bar = within(screen.getByRole('region', { name: 'Unsaved changes' }));
    await bar.findByRole('button', { name: 'Take theirs' });
    expect(sent.map(({ path }) => path)).not.toContain(`${CORE}/update`);
  });

  it('stands still under a rule that is open, so that it replaces no rule of another admin', async () => {
    const rules = itemsAt(TEMPLATE, RULES).toSpliced(1, 0, { port: '25', outboundTag: 'exit' });
    loadDraft(settings());
    const theirs = { [`POST ${CORE}/`]: settings({ ...TEMPLATE, routing: { rules } }) };
    await show(<RoutingSection />, theirs, '/?rule=1');
    const dialog = within(await screen.findByRole('dialog'));
    await userEvent.click(dialog.getByRole('button', { name: 'Apply to draft' }));
    await expect.poll(draftRules).toEqual(rules);
  });

  it('stands still under the question before a deletion, so that no outbound of another admin is deleted', async () => {
    let stored = TEMPLATE;
    const section = (
      <>
        <OutboundsSection />
        <ReadAgain />
      </>
    );
    const { sent } = await show(section, { [`POST ${CORE}/`]: () => settings(stored) });
    await userEvent.click(await screen.findByRole('button', { name: 'Actions for exit' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    const dialog = await screen.findByRole('dialog');
    stored = { ...TEMPLATE, outbounds: [{ tag: 'theirs', protocol: 'freedom' }, ...itemsAt(TEMPLATE, OUTBOUNDS)] };
    fireEvent.click(screen.getByText('Read again'));
    await expect.poll(() => sent.filter(({ path }) => path === `${CORE}/`).length).toBe(2);
    await userEvent.click(within(dialog).getByRole('button', { name: /^Delete/ }));
    expect(tagsAt(useDraft.getState().draft, OUTBOUNDS)).toEqual(['direct']);
  });

  it('follows the test address that another admin saved, unless another one is typed here', async () => {
    const theirs = { [`POST ${CORE}/`]: { ...settings(), outboundTestUrl: 'http://new' } };
    loadDraft({ ...settings(), outboundTestUrl: 'http://old' });
    await show(<BasicsSection />, theirs);
    const address = await screen.findByLabelText<HTMLInputElement>('Address for outbound tests');
    await expect.poll(() => address.value).toBe('http://new');
    expect(screen.queryByRole('region', { name: 'Unsaved changes' })).toBeNull();
    cleanup();
    useTestUrl.setState({ stored: 'http://old', typed: 'http://mine' });
    await show(<BasicsSection />, theirs);
    await screen.findByDisplayValue('http://mine');
    await expect.poll(() => useTestUrl.getState()).toEqual({ stored: 'http://new', typed: 'http://mine' });
  });

  it('counts the test address as a change, and discards it with the rest', async () => {
    await show(<BasicsSection />);
    const address = await screen.findByLabelText('Address for outbound tests');
    await enter(address, 'http://b');
    expect(screen.getByText('1 change')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Discard' }));
    expect((address as HTMLInputElement).value).toBe('');
  });
});

describe('dns', () => {
  it('shows the expected addresses of a server under the core’s newer name too', async () => {
    const server = { address: '1.1.1.1', expectedIPs: ['geoip:cn'] };
    await show(
      <DnsSection />,
      { [`POST ${CORE}/`]: settings({ ...TEMPLATE, dns: { servers: [server] } }) },
      '/?server=0',
    );
    const dialog = within(await screen.findByRole('dialog'));
    expect(await dialog.findByText('geoip:cn')).toBeTruthy();
  });
});

describe('routing', () => {
  it('adds a rule below the panel’s own, refused while it has no target or condition', async () => {
    await show(<RoutingSection />, {}, '/?rule=new');
    const dialog = within(await screen.findByRole('dialog'));
    await userEvent.click(dialog.getByRole('button', { name: 'Apply to draft' }));
    expect(dialog.getByText(/Choose an outbound or a balancer/)).toBeTruthy();
    await userEvent.click(dialog.getByRole('combobox', { name: 'Leads to (outboundTag)' }));
    await userEvent.click(await screen.findByRole('option', { name: 'exit' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Apply to draft' }));
    expect(dialog.getByText(/at least one condition/)).toBeTruthy();
    await enter(dialog.getByRole('combobox', { name: 'Domains' }), 'geosite:cn,full:a.b regexp:^a{1,2}$');
    await userEvent.click(dialog.getByRole('button', { name: 'Apply to draft' }));
    expect(draftRules()[1]).toEqual({
      type: 'field',
      outboundTag: 'exit',
      domain: ['geosite:cn', 'full:a.b', 'regexp:^a{1,2}$'],
    });
  });

  it('Enter applies a rule; in a list that is typed it adds an entry', async () => {
    await show(<RoutingSection />, {}, '/?rule=1');
    const dialog = within(await screen.findByRole('dialog'));
    await userEvent.type(dialog.getByRole('combobox', { name: 'Domains' }), 'example.net{Enter}');
    expect(screen.queryByRole('dialog')).not.toBeNull();
    // In the list that is open it chooses nothing yet.
    const target = dialog.getByRole('combobox', { name: 'Leads to (outboundTag)' });
    await userEvent.clear(target);
    await userEvent.type(target, 'dir{Enter}');
    expect(screen.queryByRole('dialog')).not.toBeNull();
    await userEvent.type(dialog.getByRole('textbox', { name: 'Port' }), '443{Enter}');
    await expect
      .poll(() => draftRules()[1])
      .toMatchObject({ domain: ['domain:example.org', 'example.net'], port: '443', mystery: true });
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  });

  it('reorders and switches off without losing unknown members', async () => {
    await show(<RoutingSection />);
    await userEvent.click(await screen.findByRole('button', { name: 'Actions for rule 2' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Move down' }));
    // It is the same rule that is moved on.
    await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toBe('Actions for rule 3');
    await userEvent.click(screen.getByRole('switch', { name: 'Rule 3 is on' }));
    expect(draftRules()[2]).toEqual({
      domain: ['domain:example.org'],
      outboundTag: 'exit',
      mystery: true,
      enabled: false,
    });
    expect(screen.getByRole('switch', { name: 'Rule 1 is on' })).toHaveProperty('disabled', true);
  });

  it('points out the rule behind the core’s answer', async () => {
    const { sent } = await show(<RoutingSection />, {
      [`POST ${CORE}/routeTest`]: { matched: true, outboundTag: 'exit' },
    });
    await enter(await screen.findByLabelText('Domain or address'), 'www.example.org');
    await userEvent.click(screen.getByRole('button', { name: 'Test route' }));
    expect(await screen.findByText('Goes to exit')).toBeTruthy();
    const row = screen.getByText('Matches').closest('li');
    expect(row?.textContent).toContain('domain:example.org');
    expect(sent.at(-1)?.body).toMatchObject({ domain: 'www.example.org', ip: '', port: 443, network: 'tcp' });
  });
});

describe('outbounds', () => {
  const told = () => screen.getAllByRole('status').map(({ textContent }) => textContent);

  it('are tested in chunks, each with all others for their chains', async () => {
    const many = Array.from({ length: 20 }, (_, index) => ({ tag: `o${index}`, protocol: 'socks' }));
    const { sent } = await show(<OutboundsSection />, {
      [`POST ${CORE}/`]: settings({ outbounds: [{ tag: 'direct', protocol: 'freedom' }, ...many] }),
      [`POST ${CORE}/testOutbounds`]: ({ body }: RawRequest) =>
        (JSON.parse((body as { outbounds: string }).outbounds) as { tag: string }[]).map(({ tag }) =>
          tag === 'o19'
            ? { tag, success: false, delay: 0, mode: 'http', error: 'refused <b>' }
            : { tag, success: true, delay: 84, mode: 'http' },
        ),
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Test all' }));
    expect(await screen.findByRole('button', { name: 'Failed: refused <b>' })).toBeTruthy();
    expect(screen.getAllByText('84 ms')).toHaveLength(19);
    expect(told()).toContain('20 of 20 tested · o19: Failed: refused <b>');
    const tests = sent
      .filter(({ path }) => path.endsWith('/testOutbounds'))
      .map(({ body }) => body as { outbounds: string; allOutbounds: string });
    const lengths = tests.map(({ outbounds }) => (JSON.parse(outbounds) as unknown[]).length);
    expect(lengths).toEqual([16, 4]);
    expect(JSON.parse(tests[1]?.allOutbounds ?? '[]')).toHaveLength(21);
    await userEvent.click(screen.getByRole('button', { name: 'Actions for o1' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Test' }));
    await expect.poll(told).toContain('o1: Works: 84 ms (http)');
  });

  it('are imported from links under free tags', async () => {
    await show(
      <OutboundsSection />,
      {
        [`POST ${CORE}/parseLink`]: {
          outbounds: [{ tag: 'exit', protocol: 'vless', settings: { address: 'a.b', port: 443 } }],
          refused: [{ link: 'http://x', error: 'unsupported link scheme' }],
        },
      },
      '/?import=links',
    );
    await enter(await screen.findByLabelText('Share links'), 'vless://x');
    await userEvent.click(screen.getByRole('button', { name: 'Read links' }));
    expect(await screen.findByText('unsupported link scheme', { exact: false })).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Add 1 outbound' }));
    const outbounds = useDraft.getState().draft?.['outbounds'] as JsonObject[];
    expect(outbounds.map(({ tag }) => tag)).toEqual(['direct', 'exit', 'exit-2']);
  });

  it('list their references before deletion, and another can take their place', async () => {
    await show(<OutboundsSection />);
    await userEvent.click(await screen.findByRole('button', { name: 'Actions for exit' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText('It is named in 1 place:')).toBeTruthy();
    await userEvent.click(dialog.getByRole('combobox'));
    await userEvent.click(await screen.findByRole('option', { name: 'direct' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Delete exit' }));
    expect(draftRules()[1]).toMatchObject({ outboundTag: 'direct', mystery: true });
  });

  it('pass a new name on to the rules', async () => {
    await show(<OutboundsSection />, {}, '/?outbound=1');
    const tag = await screen.findByLabelText('Tag');
    await userEvent.clear(tag);
    await userEvent.type(tag, 'direct');
    await userEvent.click(screen.getByRole('button', { name: 'Apply to draft' }));
    expect(screen.getByText('The tag direct is already in use. Choose another.')).toBeTruthy();
    await userEvent.clear(tag);
    await userEvent.type(tag, 'tokyo');
    expect(screen.getByText('1 place that names it is renamed with it:')).toBeTruthy();
    expect(screen.getByText(/^Rule/)).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Apply to draft' }));
    expect(draftRules()[1]).toMatchObject({ outboundTag: 'tokyo' });
  });
});

describe('balancers', () => {
  const balanced: JsonObject = {
    ...TEMPLATE,
    routing: {
      rules: [{ network: 'tcp', balancerTag: 'best' }],
      balancers: [{ tag: 'best', selector: ['ex'], unknown: 1 }],
    },
  };
  const responses = {
    [`POST ${CORE}/`]: settings(balanced),
    [`POST ${CORE}/balancerStatus`]: { best: { tag: 'best', running: true, override: '', selected: ['exit'] } },
    [`POST ${CORE}/balancerOverride`]: '',
  };

  it('show what they choose from and what they have chosen, and take an override', async () => {
    const { sent } = await show(<BalancersSection />, responses);
    expect(await screen.findByText('Now:', { exact: false })).toBeTruthy();
    await userEvent.click(screen.getByRole('combobox', { name: 'Always use' }));
    await userEvent.click(await screen.findByRole('option', { name: 'exit' }));
    await expect
      .poll(() => sent.find(({ path }) => path.endsWith('Override'))?.body)
      .toEqual({ tag: 'best', target: 'exit' });
  });

  it('say that the core lost an override when it restarted', async () => {
    const forgotten = { tag: 'best', running: true, override: '', clearedOverride: 'exit', selected: ['exit'] };
    const { sent } = await show(<BalancersSection />, {
      ...responses,
      [`POST ${CORE}/balancerStatus`]: { best: forgotten },
    });
    expect(await screen.findByText(/The core restarted and no longer always uses exit/)).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Understood' }));
    await expect
      .poll(() => sent.find(({ path }) => path.endsWith('Override'))?.body)
      .toEqual({ tag: 'best', target: '' });
  });

  it('that measure get an observer, and a new name reaches the rules', async () => {
    await show(<BalancersSection />, responses, '/?balancer=0');
    const dialog = within(await screen.findByRole('dialog'));
    await userEvent.clear(dialog.getByLabelText('Tag'));
    await userEvent.type(dialog.getByLabelText('Tag'), 'fast');
    await userEvent.click(dialog.getByRole('combobox', { name: 'Strategy' }));
    await userEvent.click(await screen.findByRole('option', { name: 'leastPing' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Apply to draft' }));
    expect(useDraft.getState().draft).toMatchObject({
      routing: {
        rules: [{ network: 'tcp', balancerTag: 'fast' }],
        balancers: [{ tag: 'fast', selector: ['ex'], unknown: 1, strategy: { type: 'leastPing' } }],
      },
      observatory: { subjectSelector: ['ex'] },
    });
  });
});

describe('names', () => {
  it('are resolved by a preset, by fixed addresses and by pools', async () => {
    await show(<DnsSection />);
    await userEvent.click(await screen.findByRole('button', { name: 'Presets' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: /Quad9/ }));
    await enter(screen.getByLabelText('New name'), 'nas.home');
    await userEvent.click(screen.getByRole('button', { name: 'Add name' }));
    await enter(screen.getByRole('combobox', { name: 'nas.home' }), '10.0.0.5');
    await userEvent.click(screen.getByRole('button', { name: 'Add pool' }));
    expect(useDraft.getState().draft).toMatchObject({
      dns: {
        servers: ['https://9.9.9.9/dns-query', 'https://149.112.112.112/dns-query'],
        hosts: { 'nas.home': '10.0.0.5' },
      },
      fakedns: [{ ipPool: '198.18.0.0/15', poolSize: 65_535 }],
    });
    await userEvent.click(screen.getByRole('switch', { name: /resolves names itself/ }));
    expect(useDraft.getState().draft?.['dns']).toBeUndefined();
  });
});
