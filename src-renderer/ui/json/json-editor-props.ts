import type { JsonSchema } from './json-editor-schema.ts';

/** What an editor of JSON takes, whichever way it is drawn. */
export interface JsonEditorProps {
  value: string;
  onChange?: (value: string) => void;
  /** Names the field for screen readers and stands above it. */
  label: string;
  /** Offers keys and values while typing; it never refuses anything. */
  schema?: JsonSchema;
  readOnly?: boolean;
  /** Pixels. */
  minHeight?: number;
  /** Line to show and select, counted from 1, when it is first given and whenever it changes. */
  line?: number | undefined;
}
