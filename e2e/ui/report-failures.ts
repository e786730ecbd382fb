import type { Page, Request } from 'playwright';

/** Most characters of a page in the report. */
const MAX_TEXT_CHARACTERS = 3_000;
const READ_WITHIN_MS = 5_000;

/** Unanswered requests, by page. */
const pages = new Map<Page, Set<Request>>();

/** Reports this page when a test fails. */
export function watchPage(page: Page): void {
  const unanswered = new Set<Request>();
  pages.set(page, unanswered);
  page.on('request', (request) => unanswered.add(request));
  page.on('requestfinished', (request) => unanswered.delete(request));
  page.on('requestfailed', (request) => unanswered.delete(request));
  page.on('close', () => pages.delete(page));
}

async function shown([page, unanswered]: readonly [Page, Set<Request>]): Promise<string> {
  const text = await Promise.race([
    page.evaluate(() => document.body.innerText),
    new Promise<string>((resolve) => setTimeout(() => resolve('(the page does not answer)'), READ_WITHIN_MS)),
  ]).catch((error: unknown) => String(error));
  const open = [...unanswered].map((request) => `${request.method()} ${request.url()}`);
  return [
    `--- ${page.url()}`,
    `without an answer: ${open.length === 0 ? 'nothing' : open.join(', ')}`,
    text.slice(-MAX_TEXT_CHARACTERS),
  ].join('\n');
}

/** A journey that fails elsewhere has to report what its pages showed and what they waited for. */
export async function reportPages(failed: string): Promise<void> {
  const reports = await Promise.all([...pages].map(shown));
  process.stderr.write(`\nShown when "${failed}" failed:\n${reports.join('\n')}\n`);
}
