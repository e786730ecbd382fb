import { parse } from 'yaml';
import type { Json } from '../../contract/json.ts';

/** The operator's rules for YAML documents, parsed as YAML, or as text if that fails; null = none. */
export function yamlRulesOf(settings: { subYamlEnableRouting: boolean; subYamlRules: string }): Json {
  const { subYamlEnableRouting, subYamlRules: text } = settings;
  if (!subYamlEnableRouting || text.trim() === '') return null;
  try {
    const value: unknown = parse(text, { maxAliasCount: 100, logLevel: 'silent' });
    return typeof value === 'object' && value !== null ? (value as Json) : text;
  } catch {
    return text;
  }
}
