import type { Json, JsonObject } from '../source.ts';
import { isJsonObject, listOf, objectOf, textOf } from '../json-access.ts';
import { refuse } from '../rules/finding.ts';
import { shape, text, type FieldRule } from '../rules/field-rules.ts';

/** Source: the core's own checks; since 26.7.28 it requires at least one profile. */
function isCompleteProfile(profile: Json): boolean {
  if (!isJsonObject(profile)) return false;
  const uuid = textOf(profile['uuid']).replaceAll('-', '');
  return (
    /^[A-Za-z0-9_]{3,16}$/.test(textOf(profile['username'])) &&
    /^[0-9a-f]{32}$/i.test(uuid) &&
    textOf(profile['texturesValue']) !== '' &&
    textOf(profile['texturesSignature']) !== ''
  );
}

export function hasCompleteProfiles(mask: JsonObject): boolean {
  const profiles = listOf(objectOf(mask['settings'])['profiles']);
  return profiles.length > 0 && profiles.every(isCompleteProfile);
}

export const xmc: FieldRule = shape({ hostname: text, password: text }, (value, where, report) => {
  if (textOf(value['password']) === '') refuse(report, `${where}.password`, 'config.set');
  if (!hasCompleteProfiles({ settings: value })) refuse(report, `${where}.profiles`, 'config.minecraftProfiles');
});
