import { openSearchPanel } from '@codemirror/search';
import { Annotation, EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { ActionIcon, Group, Text, Tooltip } from '@mantine/core';
import { IconAlignLeft, IconSearch } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './json-editor.module.css';
import { jsonComplaint } from './json-editor-complaint.ts';
import { jsonEditing } from './json-editor-setup.ts';
import { textChange } from './text-change.ts';
import { usePhrases } from './json-editor-phrases.ts';
import type { JsonEditorProps } from './json-editor-props.ts';

/** Marks changes made by the page: they are not typing and are not reported. */
const fromOutside = Annotation.define<boolean>();

/** The editor itself, its own chunk. */
export function JsonEditorCode({
  value,
  onChange,
  label,
  schema,
  readOnly = false,
  minHeight = 240,
  line,
}: JsonEditorProps) {
  const { t } = useTranslation('jsonEditor');
  const phrases = usePhrases();
  const frame = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const labelId = useId();
  const handleType = useEffectEvent((text: string) => onChange?.(text));
  const firstText = useEffectEvent(() => value);

  useEffect(() => {
    if (frame.current === null) return undefined;
    const editor = new EditorView({
      parent: frame.current,
      state: EditorState.create({
        doc: firstText(),
        extensions: [
          jsonEditing(schema, phrases),
          EditorState.readOnly.of(readOnly),
          EditorView.contentAttributes.of({
            'aria-labelledby': labelId,
            tabindex: '0',
            'aria-readonly': String(readOnly),
          }),
          EditorView.updateListener.of((update) => {
            if (!update.docChanged || update.transactions.some((change) => change.annotation(fromOutside) === true))
              return;
            handleType(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, [schema, readOnly, phrases, labelId]);

  useEffect(() => {
    const editor = view.current;
    if (editor === null) return;
    const changes = textChange(editor.state.doc.toString(), value);
    if (changes !== null) editor.dispatch({ changes, annotations: fromOutside.of(true) });
  }, [value]);

  useEffect(() => {
    const editor = view.current;
    if (editor === null || line === undefined || line < 1 || line > editor.state.doc.lines) return;
    const { from, to } = editor.state.doc.line(line);
    const effects = EditorView.scrollIntoView(from, { y: 'center' });
    editor.dispatch({ selection: { anchor: from, head: to }, effects });
    editor.focus();
  }, [line]);

  const handleFormat = (): void => {
    if (jsonComplaint(value) === null && value.trim() !== '') onChange?.(JSON.stringify(JSON.parse(value), null, 2));
  };
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={4}>
        <Text size="sm" fw={500} id={labelId}>
          {label}
        </Text>
        <Group gap={4}>
          <Tooltip label={t('find')}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('find')}
              onClick={() => view.current !== null && openSearchPanel(view.current)}
            >
              <IconSearch size={16} />
            </ActionIcon>
          </Tooltip>
          {!readOnly && (
            <Tooltip label={t('format')}>
              <ActionIcon variant="subtle" color="gray" aria-label={t('format')} onClick={handleFormat}>
                <IconAlignLeft size={16} />
              </ActionIcon>
            </Tooltip>
          )}
        </Group>
      </Group>
      <div
        ref={frame}
        // The editor's own dialogs are forms.
        onSubmit={(event) => event.stopPropagation()}
        dir="ltr"
        className={classes['editor']}
        style={{ ['--least-height' as string]: `${minHeight}px` }}
      />
    </div>
  );
}
