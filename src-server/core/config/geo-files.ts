import type { Json } from './source.ts';
import { isJsonObject, listOf, objectOf, textOf } from './json-access.ts';

const LISTS: Readonly<Record<string, string>> = { geoip: 'geoip.dat', geosite: 'geosite.dat' };

/**
 * Names of the files in the core's asset folder that a template or an inbound needs, sorted: `geoip:cn` needs
 * geoip.dat, `ext:FILE:TAG` needs FILE. A missing file stops the core, so a save can refuse it by name. Every text is
 * searched, including member names (dns hosts): the core reads such texts in many places.
 */
export function geoFilesNamedBy(value: Json): string[] {
  const files = new Set<string>();
  collect(value, files);
  for (const asset of assetsOf(value)) files.add(asset);
  return [...files].sort();
}

/** Files that the core downloads by itself must already exist, as if a rule named them. */
function assetsOf(template: Json): string[] {
  const assets = isJsonObject(template) ? listOf(objectOf(template['geodata'])['assets']) : [];
  return assets.map((asset) => textOf(objectOf(asset)['file'])).filter((file) => file !== '');
}

function collect(value: Json, files: Set<string>): void {
  if (typeof value === 'string') {
    for (const part of value.split(',')) {
      const file = fileOf(part.trim().replace(/^!/, ''));
      if (file !== null) files.add(file);
    }
  } else if (Array.isArray(value)) for (const item of value) collect(item, files);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      collect(key, files);
      collect(member, files);
    }
  }
}

function fileOf(rule: string): string | null {
  const list = /^(geoip|geosite):./.exec(rule)?.[1];
  if (list !== undefined) return LISTS[list] ?? null;
  return /^(?:ext|ext-ip|ext-domain|ext-site):([^:]+):./.exec(rule)?.[1] ?? null;
}
