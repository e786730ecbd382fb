import { appsFor, type Offered } from './apps.ts';
import { SYSTEM_NAMES, SYSTEMS, type System } from './device.ts';
import { escapeMarkup as esc } from './markup.ts';
import { pageAddress, type PageState } from './page-address.ts';
import type { PageTexts } from './page-texts.ts';

interface StepChoice {
  texts: PageTexts;
  state: PageState;
  system: System;
  /** Display name of the subscription in apps. */
  name: string;
}

/** Three steps to a connection: install, add, connect, with the apps of one system; others are a tap away. */
export function setupSteps(offered: Offered, { texts, state, system, name }: StepChoice): string {
  const apps = appsFor(system, offered, name);
  const devices = SYSTEMS.map(
    (one) =>
      `<li><a href="${pageAddress({ ...state, requestedSystem: one }, {}, 'start')}"${one === system ? ' aria-current="true"' : ''}>${SYSTEM_NAMES[one]}</a></li>`,
  ).join('');
  const app = (verb: string, at: number, address: string, rest = '') =>
    `<li><a${at === 0 ? ' class="go"' : ''} href="${esc(address)}" aria-label="${esc(`${verb}: ${apps[at]!.name}`)}"${rest}>${apps[at]!.name}</a></li>`;
  const installs = apps.map(({ install }, at) => app(texts.install, at, install, ' rel="noreferrer"')).join('');
  const adds = apps.map(({ add }, at) => app(texts.add, at, add)).join('');
  return `<section id="start"><h2>${esc(texts.start)}</h2><ul class="devices" aria-label="${esc(texts.device)}">${devices}</ul>
<ol class="steps"><li><h3>${esc(texts.install)}</h3><ul class="apps">${installs}</ul></li>
<li><h3>${esc(texts.add)}</h3><p class="soft">${esc(texts.addHint)}</p><ul class="apps add">${adds}</ul></li>
<li><h3>${esc(texts.connect)}</h3><p class="soft">${esc(texts.connectHint)}</p></li></ol></section>
`;
}
