import { useEffect, useMemo, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { SlimClientRow } from '#contract/clients/list';
import { useColumns } from './column-store.ts';
import { fitWidths } from './column-widths.ts';
import { columnOf, type CellContext, type HeadId } from './columns.tsx';

/** Space on both sides of a cell, and of the mark of the order beside a heading, in CSS pixels. */
const PADDING_PX = 24;
const SORT_MARK_PX = 18;
/** Widths are whole steps, so that a figure which grows by a digit seldom moves a column. */
const STEP_PX = 8;
/** Texts of so many letters more are the only ones worth measuring. */
const MEASURED = 3;

/** Widths of the columns on show, in CSS pixels: what the rows of this page need, fitted to the room. */
export function useColumnWidths(
  heads: readonly HeadId[],
  items: readonly SlimClientRow[],
  contextOf: (row: SlimClientRow) => CellContext,
  table: RefObject<HTMLTableElement | null>,
  roomPx: number,
): ReadonlyMap<HeadId, number> {
  const { t } = useTranslation('clients');
  const chosen = useColumns((state) => state.widths);
  const hasFonts = useFonts();
  const hasRoom = roomPx > 0;
  const needs = useMemo(() => {
    const fontOf = fontsOf(table.current);
    return heads.map((id) => {
      const { least, most = Infinity, text, extraPx = 0, sort, weight = 400 } = columnOf(id);
      const headPx = fontOf(500)([t(`column.${id}`)]) + (sort === '' ? 0 : SORT_MARK_PX);
      const cellPx = fontOf(weight)(items.map((row) => text(row, contextOf(row)))) + extraPx;
      const wanted = Math.ceil((Math.max(headPx, Math.min(cellPx, most)) + PADDING_PX) / STEP_PX) * STEP_PX;
      // The heading is whole in any language.
      return { id, wanted, least: Math.min(wanted, Math.max(least ?? wanted, headPx + PADDING_PX)) };
    });
    // Rows are drawn in their own font once it is there; before the first drawing nothing can be measured.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [heads, items, contextOf, t, table, hasFonts, hasRoom]);
  return useMemo(
    () =>
      fitWidths(
        needs.map((need) => ({ ...need, chosen: chosen[need.id] })),
        roomPx,
      ),
    [needs, chosen, roomPx],
  );
}

function useFonts(): boolean {
  const [hasFonts, setHasFonts] = useState(false);
  useEffect(() => {
    let isGone = false;
    void (document.fonts as FontFaceSet | undefined)?.ready.then(() => !isGone && setHasFonts(true));
    return () => {
      isGone = true;
    };
  }, []);
  return hasFonts;
}

/** Measures the widest of some texts, in CSS pixels, for a weight of the table's font. */
function fontsOf(table: HTMLTableElement | null): (weight: number) => (texts: readonly string[]) => number {
  const context = table === null ? null : document.createElement('canvas').getContext('2d');
  if (table === null || context === null) return () => (texts) => 8 * Math.max(0, ...texts.map(({ length }) => length));
  const { fontSize, fontFamily } = getComputedStyle(table);
  return (weight) => (texts) => {
    context.font = `${weight} ${fontSize} ${fontFamily}`;
    const longest = texts.toSorted((a, b) => b.length - a.length).slice(0, MEASURED);
    return Math.max(0, ...longest.map((text) => context.measureText(withWideFigures(text)).width));
  };
}

/** Figures of a column are all as wide as the widest of them, which a canvas does not know: "4" and the Persian "3". */
const withWideFigures = (text: string): string => text.replaceAll(/\d/g, '4').replaceAll(/[۰-۹]/g, '۳');
