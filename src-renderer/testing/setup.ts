import { cleanup, configure } from '@testing-library/react';
import { notifications } from '@mantine/notifications';
import { onlineManager } from '@tanstack/react-query';
import { afterEach } from 'vitest';
import { noteServerTime } from '../stores/server-clock.ts';
import { resetStores } from './resettable-stores.ts';

// Browser APIs that the kit needs and jsdom lacks.
window.matchMedia = (query) =>
  ({ matches: false, media: query, addEventListener() {}, removeEventListener() {} }) as unknown as MediaQueryList;
window.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
// Nothing comes into view by itself.
window.IntersectionObserver = window.ResizeObserver as unknown as typeof IntersectionObserver;
Element.prototype.scrollIntoView = () => undefined;

// Parts of a page are loaded on first use, which takes more than the default second on a busy machine.
configure({ asyncUtilTimeout: 15_000 });

// Tests replace the clock.
const { setTimeout: realTimeout } = globalThis;

// Files share one copy of the interface: what outlives a page is reset here.
afterEach(async () => {
  cleanup();
  // Responses that have arrived already are handled before the stores are reset.
  await new Promise((resolve) => realTimeout(resolve, 0));
  notifications.clean();
  notifications.cleanQueue();
  resetStores();
  noteServerTime(Date.now());
  onlineManager.setOnline(true);
  localStorage.clear();
});
