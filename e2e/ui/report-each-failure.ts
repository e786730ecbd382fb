import { afterEach } from 'vitest';
import { reportPages } from './report-failures.ts';

// Here and not beside the pages: files share one copy of that module, and each needs its own hook.
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await reportPages(task.name);
});
