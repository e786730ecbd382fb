import { describe, expect, it } from 'vitest';
import { openingPlace } from './window-place.ts';

const MAIN = { x: 0, y: 0, width: 1920, height: 1080 };
const RIGHT = { x: 1920, y: 0, width: 1280, height: 1024 };
const place = (x: number, y: number, width = 1000, height = 700) => ({ x, y, width, height, isMaximized: false });

describe('where the window opens', () => {
  it('in the middle at first', () => {
    expect(openingPlace(null, [MAIN])).toEqual({ width: 1280, height: 820 });
  });
  it('where it was, also on a second screen', () => {
    expect(openingPlace(place(2000, 50), [MAIN, RIGHT])).toEqual({ x: 2000, y: 50, width: 1000, height: 700 });
  });
  it('where it filled a half, or the whole, of a screen: Windows counts a frame of it that nobody sees', () => {
    for (const saved of [place(-7, 0, 974, 1087), place(-8, -8, 1936, 1096)]) {
      const { isMaximized: _, ...bounds } = saved;
      expect(openingPlace(saved, [MAIN])).toEqual(bounds);
    }
  });
  it.each([
    ['a screen that is gone', place(2000, 50)],
    ['above every screen', place(100, -400)],
    ['below every screen', place(100, 1070)],
    ['all but a sliver off to the left', place(-950, 100)],
  ])('in the middle when it was on %s', (_where, saved) => {
    expect(openingPlace(saved, [MAIN])).toEqual({ width: 1000, height: 700 });
  });
  it('never smaller than usable, never larger than the screen', () => {
    expect(openingPlace(place(0, 0, 100, 100), [MAIN])).toMatchObject({ width: 900, height: 600 });
    expect(openingPlace(place(9000, 0, 4000, 4000), [MAIN])).toEqual({ width: 1920, height: 1080 });
    // It was on a large screen that is gone, at a place that the small one has, too.
    expect(openingPlace(place(100, 50, 2400, 1400), [MAIN])).toEqual({ width: 1920, height: 1080 });
    expect(openingPlace(place(100, 50, 2400, 900), [MAIN, RIGHT])).toMatchObject({ x: 100, width: 2400 });
    expect(openingPlace(null, [{ x: 0, y: 0, width: 800, height: 500 }])).toEqual({ width: 900, height: 600 });
  });
});
