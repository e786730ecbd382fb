import { Anchor } from '@mantine/core';
import { useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Issue } from '../../../forms/draft/draft-store.ts';
import { Refusals } from '../../../forms/draft/refusals.tsx';
import { fieldPlace, goTo } from './field-place.ts';

/** All refusals: each reason with a link to its field. */
export function RefusedList({ issues }: { issues: readonly Issue[] }) {
  const { t } = useTranslation('words');
  const alert = useRef<HTMLDivElement>(null);
  const [labels, setLabels] = useState<readonly (string | undefined)[]>([]);
  // Labels are read from the rendered fields, which depend on the draft.
  useLayoutEffect(() => {
    const form = alert.current?.closest('form') ?? document;
    setLabels(issues.map(({ path }) => fieldPlace(form, path)?.label));
  }, [issues]);
  const handleJump = (path: string): void => {
    const place = fieldPlace(alert.current?.closest('form') ?? document, path);
    if (place !== null) goTo(place);
  };
  const rows = issues.map(({ path, message, placed }, at) => ({
    key: `${path} ${placed}`,
    ...(labels[at] === undefined
      ? { message: placed }
      : {
          message,
          field: (
            <Anchor component="button" type="button" c="inherit" underline="always" onClick={() => handleJump(path)}>
              {labels[at]}
            </Anchor>
          ),
        }),
  }));
  return <Refusals ref={alert} title={t('notSaved')} rows={rows} />;
}
