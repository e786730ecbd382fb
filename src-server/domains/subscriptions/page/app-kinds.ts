import { RE2JS } from 're2js';
import type { Logger } from '../../../contract/logger.ts';

/** Longest part of a User-Agent that is examined; it is untrusted. */
const MAX_AGENT = 512;
const DEFAULT_YAML = '(?i)(clash|mihomo)';

/** Settings that decide which format an app gets at the address of the raw links. */
export interface DetectionSettings {
  subYamlEnable: boolean;
  subYamlAutoDetect: boolean;
  subYamlUserAgentRegex: string;
  subJsonEnable: boolean;
  subJsonAutoDetect: boolean;
  subJsonUserAgentRegex: string;
}

/**
 * Recognises apps by their User-Agent with an engine that needs linear time for any pattern. A stored pattern that does
 * not compile counts as the default: the YAML apps for YAML, none for JSON.
 */
export function createAppKinds(log: Pick<Logger, 'warn'>) {
  const compiled = new Map<string, RE2JS | null>();

  function matches(source: string, fallback: string, agent: string): boolean {
    const pattern = source.trim() === '' ? fallback : source.trim();
    if (pattern === '') return false;
    let ready = compiled.get(pattern);
    if (ready === undefined) {
      // Two are in use; older ones belong to settings that have changed.
      if (compiled.size > 8) compiled.clear();
      ready = compile(pattern);
      if (ready === null) log.warn('sub.agentPattern', { pattern });
      compiled.set(pattern, ready);
    }
    if (ready === null) return pattern !== fallback && matches('', fallback, agent);
    return ready.test(agent.slice(0, MAX_AGENT));
  }

  /** Formats to try for this app before the raw links, best first. */
  return (settings: DetectionSettings, agent: string): ('yaml' | 'json')[] => {
    const found: ('yaml' | 'json')[] = [];
    const { subYamlEnable, subYamlAutoDetect, subJsonEnable, subJsonAutoDetect } = settings;
    if (subYamlEnable && subYamlAutoDetect && matches(settings.subYamlUserAgentRegex, DEFAULT_YAML, agent))
      found.push('yaml');
    if (subJsonEnable && subJsonAutoDetect && matches(settings.subJsonUserAgentRegex, '', agent)) found.push('json');
    return found;
  };
}

function compile(pattern: string): RE2JS | null {
  try {
    return RE2JS.compile(pattern);
  } catch {
    return null;
  }
}
