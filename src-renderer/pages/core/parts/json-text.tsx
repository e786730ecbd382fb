import { useState } from 'react';
import type { JsonObject } from '#wire/json';
import type { JsonSchema } from '../../../ui/json/json-editor-schema.ts';
import { JsonEditor } from '../../../ui/json/json-editor.tsx';
import { readTemplate } from '../model/draft-store.ts';

interface JsonTextProps {
  label: string;
  value: JsonObject;
  schema?: JsonSchema | undefined;
  onChange: (value: JsonObject) => void;
  /** Told whether the text is no JSON object as it stands. */
  onLoose: (isLoose: boolean) => void;
}

/** An object as JSON text; while the text is no object, the last good one stands. */
export function JsonText({ label, value, schema, onChange, onLoose }: JsonTextProps) {
  const [text, setText] = useState(() => JSON.stringify(value, null, 2));
  const handleChange = (typed: string): void => {
    setText(typed);
    const object = readTemplate(typed);
    onLoose(object === null);
    if (object !== null) onChange(object);
  };
  return (
    <JsonEditor
      label={label}
      value={text}
      onChange={handleChange}
      minHeight={320}
      {...(schema === undefined ? {} : { schema })}
    />
  );
}
