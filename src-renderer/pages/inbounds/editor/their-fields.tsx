import { Code } from '@mantine/core';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import type { Json } from '#wire/json';
import type { Format } from '../../../i18n/format.ts';
import type { Draft } from '../model/draft.ts';
import type { FieldName } from './parts/fields.tsx';
import { readAt } from '../../../forms/draft/json.ts';

/** Enough of a long value to recognise it. */
const SHOWN_CHARACTERS = 120;

/** Fields with a label of their own; members of the core's sections keep their paths. */
const LABELS: Readonly<Record<string, FieldName>> = {
  remark: 'remark',
  protocol: 'protocol',
  nodeId: 'node',
  port: 'port',
  listen: 'listen',
  total: 'quota',
  expiryTime: 'expiry',
  trafficReset: 'trafficReset',
  tag: 'tag',
  enable: 'enable',
};

/** The values of another version of the inbound at `paths`, as the editor's fields call and show them. */
export function theirFields(
  t: TFunction<'inboundEditor'>,
  format: Format,
  paths: readonly string[],
  theirs: Draft | null,
): { name: string; label: ReactNode; now: string }[] {
  if (theirs === null) return [];
  return paths.map((path) => {
    const label = LABELS[path];
    return {
      name: path,
      label: label === undefined ? <Code>{path}</Code> : t(`field.${label}`),
      now: shown(format, path, readAt(theirs, path)),
    };
  });
}

function shown(format: Format, path: string, value: Json | undefined): string {
  // Without a limit, without an end.
  if (value === 0 && (path === 'total' || path === 'expiryTime')) return '';
  if (typeof value === 'number' && path === 'total') return format.bytes(value);
  if (typeof value === 'number' && path === 'expiryTime') return format.dateTime(value);
  if (value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}
