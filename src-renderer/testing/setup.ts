import { cleanup } from '@testing-library/react';
import { afterEach } from 'vitest';

// What the kit asks of a browser and jsdom does not have.
window.matchMedia = (query) =>
  ({ matches: false, media: query, addEventListener() {}, removeEventListener() {} }) as unknown as MediaQueryList;
window.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
Element.prototype.scrollIntoView = () => undefined;

afterEach(cleanup);
