import { Code } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Json } from '#wire/json';
import type { Draft } from '../model/draft.ts';
import { readAt } from '../../../forms/draft/json.ts';

/** Enough of a long value to recognise it. */
const SHOWN_CHARACTERS = 120;

/** The values of another version of the inbound at `paths`. */
export function theirFields(
  paths: readonly string[],
  theirs: Draft | null,
): { name: string; label: ReactNode; now: string }[] {
  if (theirs === null) return [];
  return paths.map((path) => ({ name: path, label: <Code>{path}</Code>, now: shown(readAt(theirs, path)) }));
}

function shown(value: Json | undefined): string {
  if (value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}
