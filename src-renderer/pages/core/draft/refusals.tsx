import { Anchor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { JsonObject } from '#wire/json';
import { issuesOf } from '../../../forms/draft/draft-store.ts';
import { Refusals } from '../../../forms/draft/refusals.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { placeOf } from './place.ts';

/** Why a template was refused: each reason with its section and line. */
export function TemplateRefusals({ title, error, template }: { title: string; error: Error; template: JsonObject }) {
  const rows = issuesOf(error).map(({ path, placed }) => ({
    key: `${path} ${placed}`,
    message: placed,
    ...(path === '' ? {} : { field: <PlaceLink field={path} template={template} /> }),
  }));
  return <Refusals title={title} rows={rows} />;
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
      </Anchor>
      {line > 0 && (
        <>
          {' '}
          <Anchor component={Link} to={`/panel/core/template?line=${line}`} size="sm">
            {t('at.line', words)}
          </Anchor>
        </>
      )}
    </>
  );
}
