import type { Json, JsonObject } from '../source.ts';
import { isBlank, listOf, textOf, without } from '../json-access.ts';
import { refuse, refuseSilent, type Report } from '../rules/finding.ts';
import { flag, integer, listOfEach, shape, text, textList, uint64, type FieldRule } from '../rules/field-rules.ts';
import { rawUrlBase64Bytes } from '../encoded-keys.ts';
import { hostAndPort, isSocketPath, portNumber } from '../inbound/listen-address.ts';

const limit = shape({ afterBytes: uint64, bytesPerSec: uint64, burstBytesPerSec: uint64 });

const shortId: FieldRule = (value, where, report) => {
  if (typeof value !== 'string' || !/^(?:[0-9a-f]{2}){0,8}$/i.test(value)) refuse(report, where, 'config.shortId');
};

const clientVersion: FieldRule = (value, where, report) => {
  if (value === '') return;
  const parts = typeof value === 'string' ? value.split('.') : [];
  if (parts.length < 1 || parts.length > 3 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255))
    refuse(report, where, 'config.clientVersion');
};

/** The texts of the key rules name no key: messages travel further than the form. */
const key32: FieldRule = (value, where, report) => {
  if (typeof value !== 'string' || rawUrlBase64Bytes(value) !== 32) refuse(report, where, 'config.realityKey');
};

export const realityRules: FieldRule = shape(
  {
    show: flag,
    type: text,
    xver: integer(0, 2),
    serverNames: textList,
    minClientVer: clientVersion,
    maxClientVer: clientVersion,
    maxTimeDiff: uint64,
    shortIds: listOfEach(shortId),
    masterKeyLog: text,
    limitFallbackUpload: limit,
    limitFallbackDownload: limit,
  },
  (value, where, report) => {
    checkTarget(value, where, report);
    checkKeys(value, where, report);
    if (listOf(value['serverNames']).length === 0) refuse(report, `${where}.serverNames`, 'config.serverNames');
    if (listOf(value['shortIds']).length === 0) refuse(report, `${where}.shortIds`, 'config.shortIds');
    const [oldest, newest] = [textOf(value['minClientVer']), textOf(value['maxClientVer'])];
    if (oldest !== '' && newest !== '' && versionRank(oldest) > versionRank(newest))
      refuseSilent(report, `${where}.maxClientVer`, 'config.maxClientVer', { oldest });
  },
);

function checkTarget(value: JsonObject, where: string, report: Report): void {
  const target = value['target'] ?? value['dest'];
  if (isBlank(target)) refuse(report, `${where}.target`, 'config.target');
  else if (!isTarget(target)) refuse(report, `${where}.target`, 'config.targetForm');
}

function isTarget(target: Json | undefined): boolean {
  if (typeof target === 'number') return portNumber(String(target)) !== null;
  if (typeof target !== 'string') return false;
  if (isSocketPath(target)) return true;
  return portNumber(target) !== null || portNumber(hostAndPort(target)?.port ?? '') !== null;
}

function checkKeys(value: JsonObject, where: string, report: Report): void {
  if (isBlank(value['privateKey'])) {
    refuse(report, `${where}.privateKey`, 'config.privateKey');
  } else key32(value['privateKey'] ?? '', `${where}.privateKey`, report);
  const seed = value['mldsa65Seed'];
  if (seed === undefined || isBlank(seed)) return;
  key32(seed, `${where}.mldsa65Seed`, report);
  if (seed === value['privateKey']) refuse(report, `${where}.mldsa65Seed`, 'config.mldsaSeed');
}

/** Orders versions of apps; parts that are absent count as 0. */
export function versionRank(version: string): number {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  return (major * 256 + minor) * 256 + patch;
}

/** `target` is the panel's name; `dest` is read from older rows and then dropped. */
export function normaliseReality(settings: JsonObject): JsonObject {
  const dest = settings['dest'];
  if (dest === undefined) return settings;
  const rest = without(settings, 'dest');
  return isBlank(rest['target']) ? { ...rest, target: dest } : rest;
}

export function serverReality(settings: JsonObject): JsonObject {
  return without(settings, 'settings');
}
