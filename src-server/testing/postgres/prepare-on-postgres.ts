import type { TestProject } from 'vitest/node';
import { prepare } from '../panels/prepare-panel.ts';

/** As `prepare-panel.ts`, with every database on a server of this run. */
export const setup = (project: TestProject): Promise<() => Promise<void>> => prepare(project, true);
