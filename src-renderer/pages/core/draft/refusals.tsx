import { Alert, Anchor, List, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { JsonObject } from '#wire/json';
import { CallError } from '../../../api/transport.ts';
import { useFormat } from '../../../i18n/format.ts';
import { placedWords } from '../../../i18n/refusal-words.ts';
import { placeOf } from './place.ts';

/** Why a template was refused, each reason with its section and line. */
export function Refusals({ title, error, template }: { title: string; error: Error; template: JsonObject }) {
  const issues = error instanceof CallError ? error.issues : [];
  return (
    <Alert color="red" title={title} role="alert">
      {issues.length === 0 ? (
        <Text size="sm">
          <bdi>{error.message}</bdi>
        </Text>
      ) : (
        <List size="sm">
          {issues.map((issue) => (
            <List.Item key={`${issue.field} ${issue.message}`}>
              <PlaceLink field={issue.field} template={template} /> <bdi>{placedWords(issue)}</bdi>
            </List.Item>
          ))}
        </List>
      )}
    </Alert>
  );
}

function PlaceLink({ field, template }: { field: string; template: JsonObject }) {
  const { t } = useTranslation('core');
  const format = useFormat();
  const { name, number, line, to } = placeOf(field, template);
  const words = { section: t(`place.${name}`), number: format.number(number), line: format.number(line) };
  return (
    <>
      <Anchor component={Link} to={to} size="sm">
        {number === 0 ? t('at.section', words) : t('at.entry', words)}
      </Anchor>{' '}
      {line > 0 && (
        <Anchor component={Link} to={`/panel/core/template?line=${line}`} size="sm">
          {t('at.line', words)}
        </Anchor>
      )}
    </>
  );
}
