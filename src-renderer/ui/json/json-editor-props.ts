import type { JsonSchema } from './json-editor-schema.ts';

/** Props of a JSON editor, however it is rendered. */
export interface JsonEditorProps {
  value: string;
  onChange?: (value: string) => void;
  /** Label of the field, also for screen readers. */
  label: string;
  /** Schema for hints while typing; it never refuses anything. */
  schema?: JsonSchema;
  readOnly?: boolean;
  /** Pixels. */
  minHeight?: number;
  /** Line to show and select, counted from 1, when first set and on every change. */
  line?: number | undefined;
}
