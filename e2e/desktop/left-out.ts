/**
 * Journeys of the web interface that do not run in the application's window, each with its reason. All others do, over
 * the application's connection to a panel.
 */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  'bundle-size.e2e.ts': 'measures what the panel sends to a browser; the window has its files on disk',
  'choices.e2e.ts': 'looks at a second tab and at the sign-in page, of which the window has neither',
  'every-page.e2e.ts': 'hands one sign-in to many browser contexts, and looks at the widths of phones',
  'first-run.e2e.ts': 'starts from the one-time link for browsers; the first start in the window is window.e2e.ts',
  'moved-panel.e2e.ts': 'the address bar of a browser follows the panel; the window has none',
  'phone.e2e.ts': 'the window is never as small as a phone and is not touched',
  'reverse-proxy.e2e.ts': 'the addresses of a proxy are for browsers; a window has its own way to a panel',
  'sign-in.e2e.ts': 'the sign-in page is of browsers, and the cookies that it clears never reach the window',
  'slow-network.e2e.ts': 'holds back and refuses requests, which only a browser lets a test do',
  'subscription-page.e2e.ts': 'a page for clients, who have browsers',
};
