import { expect, test } from 'vitest';
import { openPanel } from '../testing/panels/open-panel.ts';
import { EXAMPLES } from './examples.ts';

test('the examples work one after the other, and the document shows them', async () => {
  const panel = await openPanel();
  try {
    const { paths } = (await panel.get('/openapi.json')) as unknown as {
      paths: Record<string, { post: { requestBody: { content: Record<string, { example: unknown }> } } }>;
    };
    for (const [call, body] of Object.entries(EXAMPLES)) {
      const path = call.replace('POST ', '');
      const shown = paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.post.requestBody.content['application/json'];
      expect(shown?.example, call).toEqual(body);
      const filled = path.replace('/panel/api', '').replace(':email', 'alice').replaceAll(/:\w+/g, '1');
      const response = await panel.post(filled, body as object);
      expect(response, call).toMatchObject({ success: true });
      expect((response.obj as { skipped?: unknown[] } | null)?.skipped ?? [], call).toEqual([]);
    }
  } finally {
    await panel.close();
  }
});
