import type { Json, JsonObject } from '../../../contract/json.ts';
import { yamlRulesOf } from '../yaml-rules.ts';
import { resolveAddress } from '../../../links/address.ts';
import { endpointsOf } from '../../../links/endpoints.ts';
import { foreignYamlProxy } from '../../../links/documents/foreign-yaml.ts';
import { foreignJsonConfig, jsonDocument, prepareJsonConfig } from '../../../links/documents/json-documents.ts';
import { parseLink } from '../../../links/parse/parse-link.ts';
import { needsPlugin } from '../../../links/parse/parse-shadowsocks.ts';
import { prepareShareLink } from '../../../links/share-links.ts';
import type { Endpoint, LeftOutReason, LinkInbound } from '../../../links/types.ts';
import { yamlDocument } from '../../../links/documents/yaml-document.ts';
import { whyNoProxy } from '../../../links/documents/why-no-proxy.ts';
import { yamlProxy } from '../../../links/documents/yaml-proxies.ts';
import type { Settings } from '../../settings/contract.ts';
import type { LibraryInbound } from '../library.ts';
import type { Content, EntryWriter, LinkEngine, LinkFormat } from './link-engine-port.ts';
import { entryWriter, namingOf, type Naming, type PreparedContent } from './prepare-entries.ts';

/** Most host names for which an inbound's entries are cached: strangers may send any. */
const MAX_KEPT = 48;

/** Cache for one state of the settings; changed inbounds are new objects. */
interface Kept {
  settings: Settings;
  naming: Naming;
  yamlRules: Json;
  writers: WeakMap<LibraryInbound, Map<string, readonly EntryWriter[]>>;
}

/**
 * Writes subscriptions with the panel's links. Everything that does not depend on the client is prepared once per
 * inbound, its hosts and the settings, and cached until one of them changes.
 */
export function createLinkEngine(deps: { settings: () => Settings }): LinkEngine {
  let kept: Kept | null = null;

  function current(): Kept {
    const settings = deps.settings();
    if (kept?.settings !== settings)
      kept = { settings, naming: namingOf(settings), yamlRules: yamlRulesOf(settings), writers: new WeakMap() };
    return kept;
  }

  function prepare(endpoint: Endpoint, format: LinkFormat): PreparedContent {
    if (format === 'raw') return prepareShareLink(endpoint);
    if (format === 'json') return prepareJsonConfig(endpoint, deps.settings());
    const reason = whyNoProxy(endpoint);
    if (reason !== null) return { endpoint, reason };
    return { endpoint, render: (client, name) => yamlProxy(endpoint, client, name) };
  }

  return {
    addressOf: (inbound, requestName) =>
      resolveAddress(inbound, { ...deps.settings(), nodeAddress: inbound.nodeAddress, requestHost: requestName }),
    writers(inbound, format, requestName) {
      const { settings, naming, writers } = current();
      let byName = writers.get(inbound);
      if (byName === undefined) writers.set(inbound, (byName = new Map()));
      const { nodeAddress } = inbound;
      const key = `${format} ${requestName}`;
      let found = byName.get(key);
      if (found === undefined) {
        const addressOf = (reached: LinkInbound) =>
          resolveAddress(reached, { ...settings, nodeAddress, requestHost: requestName });
        found = endpointsOf(inbound, format, addressOf).map((endpoint) =>
          entryWriter(prepare(endpoint, format), naming),
        );
        if (byName.size >= MAX_KEPT) byName.clear();
        byName.set(key, found);
      }
      return found;
    },
    foreign(link, owner, format) {
      if (format === 'raw') return { name: nameOf(link) || owner.email, content: link };
      const parsed = parseLink(link);
      if ('error' in parsed) return { name: nameOf(link) || owner.email, reason: parsed.error };
      const { outbound } = parsed;
      const name = outbound.tag || owner.email;
      if (needsPlugin(link)) return { name, reason: 'The link needs a plugin' };
      const config = { ...outbound };
      if (format === 'json') return { name, content: foreignJsonConfig(config, name, deps.settings()) };
      const proxy = foreignYamlProxy(outbound, name);
      return isLeftOut(proxy) ? { name, reason: proxy.reason } : { name, content: proxy };
    },
    document(format, contents) {
      if (format === 'yaml') return yamlDocument(contents.filter(isProxy), current().yamlRules);
      const texts = contents.filter((content) => typeof content === 'string');
      if (format === 'json') return jsonDocument(texts);
      const body = texts.map((text) => `${text}\n`).join('');
      return deps.settings().subEncrypt ? Buffer.from(body).toString('base64') : body;
    },
  };
}

const isProxy = (content: Content): content is JsonObject => typeof content === 'object';

const isLeftOut = (proxy: JsonObject | LeftOutReason): proxy is LeftOutReason => 'reason' in proxy;

function nameOf(link: string): string {
  const [, fragment = ''] = link.split('#', 2);
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
