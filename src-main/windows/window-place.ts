import type { Place } from '../preferences/preferences.ts';

export const MIN_WIDTH = 900;
export const MIN_HEIGHT = 600;
const FIRST = { width: 1280, height: 820 };
/** How much of the title bar must be on a screen so that the window can be moved. */
const GRIP = 80;
/** Windows counts a frame around a window as its own that nobody sees. */
const FRAME = 8;

interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * Where the window opens: at its last position, unless that is no longer on a screen, or the window larger than those.
 * @param screens usable areas of the screens, without panels and docks; the first is the main one
 */
export function openingPlace(
  saved: Place | null,
  screens: readonly Area[],
): { width: number; height: number; x?: number; y?: number } {
  const room = screens[0] ?? { x: 0, y: 0, ...FIRST };
  const width = clamp(saved?.width ?? FIRST.width, MIN_WIDTH, room.width);
  const height = clamp(saved?.height ?? FIRST.height, MIN_HEIGHT, room.height);
  if (saved === null || !fits(saved, screens) || !screens.some((screen) => isGrippable(saved, screen)))
    return { width, height };
  return {
    x: saved.x,
    y: saved.y,
    width: Math.max(saved.width, MIN_WIDTH),
    height: Math.max(saved.height, MIN_HEIGHT),
  };
}

/** Not larger than all screens together, which a window may span. */
function fits({ width, height }: Area, screens: readonly Area[]): boolean {
  const [left, top] = [Math.min(...screens.map(({ x }) => x)), Math.min(...screens.map(({ y }) => y))];
  return (
    screens.some(({ x, width: wide }) => x + wide - left + 2 * FRAME >= width) &&
    screens.some(({ y, height: high }) => y + high - top + 2 * FRAME >= height)
  );
}

function isGrippable(window: Area, screen: Area): boolean {
  const across = Math.min(window.x + window.width, screen.x + screen.width) - Math.max(window.x, screen.x);
  return across >= GRIP && window.y >= screen.y - FRAME && window.y <= screen.y + screen.height - 32;
}

/** The lower bound wins: a screen smaller than the window's minimum gets the minimum. */
function clamp(value: number, lowest: number, highest: number): number {
  return Math.max(lowest, Math.min(value, highest));
}
