import type { Endpoint } from '../contract/endpoint.ts';
import { bind, type BindContext } from '../http/bind.ts';
import { getApiDocument } from './contract.ts';
import { readFieldNotes } from './field-notes.ts';
import { buildApiDocument, type ApiDocument, type DocumentOptions } from './document.ts';

/** Serves the document of everything that is mounted, itself included; built on the first request. */
export function openApiRoutes(ctx: BindContext, options: DocumentOptions): void {
  let kept: { endpoints: readonly Endpoint[]; document: Promise<ApiDocument> } | null = null;
  bind(ctx, getApiDocument, () => {
    const { endpoints } = ctx.mounted;
    // More may have been mounted since; nothing is ever unmounted.
    if (kept === null || kept.endpoints.length !== endpoints.length)
      kept = { endpoints: [...endpoints], document: build([...endpoints], options) };
    return kept.document;
  });
}

async function build(endpoints: readonly Endpoint[], options: DocumentOptions): Promise<ApiDocument> {
  return buildApiDocument(endpoints, { ...options, fieldNotes: await readFieldNotes() });
}
