import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Journeys of a minute and more, the longest first. */
const LONGEST = [
  'ui/every-page',
  'node-kills',
  'kills',
  'ui/pages/inbounds',
  'ui/pages/settings',
  'desktop/restore-backup',
].map((name) => `/e2e/${name}.e2e.ts`);

/** Starts the longest journeys first: if one of them ran alone at the end, the other workers would be idle. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(name));
      return at === -1 ? LONGEST.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}
