import type { Json, JsonObject } from '#wire/json';
import { listAt, objectAt, readAt, textAt, writeAt, type Path } from '../../../forms/draft/json.ts';

export const OUTBOUNDS: Path = ['outbounds'];
export const RULES: Path = ['routing', 'rules'];
export const BALANCERS: Path = ['routing', 'balancers'];

/** The objects of a list in the template. A non-object shows as an empty object and keeps its place. */
export function itemsAt(template: JsonObject, list: Path): JsonObject[] {
  return listAt(readAt(template, list)).map((item) => objectAt(item));
}

export function tagsAt(template: JsonObject, list: Path): string[] {
  return itemsAt(template, list)
    .map((item) => textAt(item['tag']))
    .filter((tag) => tag !== '');
}

/** @param index past the end appends */
export function putItem(template: JsonObject, list: Path, index: number, item: Json): JsonObject {
  return change(template, list, (items) => items.splice(index, 1, item));
}

export function insertItem(template: JsonObject, list: Path, index: number, item: Json): JsonObject {
  return change(template, list, (items) => items.splice(index, 0, item));
}

export function dropItem(template: JsonObject, list: Path, index: number): JsonObject {
  return change(template, list, (items) => items.splice(index, 1));
}

export function moveItem(template: JsonObject, list: Path, from: number, to: number): JsonObject {
  if (from === to) return template;
  return change(template, list, (items) => items.splice(to, 0, ...items.splice(from, 1)));
}

function change(template: JsonObject, list: Path, edit: (items: Json[]) => unknown): JsonObject {
  const items = [...listAt(readAt(template, list))];
  edit(items);
  return writeAt(template, list, items);
}

/** `wanted` (`outbound` when empty), with the smallest number that makes it free if it is taken. */
export function freeTag(wanted: string, taken: readonly string[]): string {
  const stem = wanted === '' ? 'outbound' : wanted;
  if (!taken.includes(stem)) return stem;
  for (let number = 2; ; number += 1) if (!taken.includes(`${stem}-${number}`)) return `${stem}-${number}`;
}
