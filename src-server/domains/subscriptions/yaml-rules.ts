import { parseDocument } from 'yaml';
import type { Json } from '../../contract/json.ts';

/** The operator's rules for YAML documents, parsed as YAML, or as text if that fails; null = none. */
export function yamlRulesOf(settings: { subYamlEnableRouting: boolean; subYamlRules: string }): Json {
  const { subYamlEnableRouting, subYamlRules: text } = settings;
  if (!subYamlEnableRouting || text.trim() === '') return null;
  const document = parseDocument(text, { logLevel: 'silent' });
  if (document.errors.length > 0) return text;
  try {
    // JSON has no cycles, which an alias may create.
    const value = JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: 100 }))) as Json;
    return typeof value === 'object' && value !== null ? value : text;
  } catch {
    return text;
  }
}
