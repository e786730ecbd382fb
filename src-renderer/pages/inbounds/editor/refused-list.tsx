import { Alert, Anchor, List } from '@mantine/core';
import { useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldPlace, goTo } from './field-place.ts';
import classes from './inbound-editor.module.css';
import type { Issue } from './inbound-draft.ts';

/** Everything that was refused: each reason with the field it is about, which it leads to. */
export function RefusedList({ issues }: { issues: readonly Issue[] }) {
  const { t } = useTranslation('inboundEditor');
  const alert = useRef<HTMLDivElement>(null);
  const [labels, setLabels] = useState<readonly (string | undefined)[]>([]);
  // What a field is called is known where it stands, and which fields stand there depends on the draft.
  useLayoutEffect(() => {
    const form = alert.current?.closest('form') ?? document;
    setLabels(issues.map(({ path }) => fieldPlace(form, path)?.label));
  }, [issues]);
  const handleJump = (path: string): void => {
    const place = fieldPlace(alert.current?.closest('form') ?? document, path);
    if (place !== null) goTo(place);
  };
  return (
    <Alert ref={alert} color="red" role="alert" className={classes['notice'] ?? ''} title={t('refused')}>
      <List size="sm" listStyleType={issues.length === 1 ? 'none' : 'disc'}>
        {issues.map(({ path, message, placed }, at) => (
          <List.Item key={`${path} ${placed}`}>
            {labels[at] === undefined ? (
              <bdi>{placed}</bdi>
            ) : (
              <>
                <Anchor
                  component="button"
                  type="button"
                  c="inherit"
                  underline="always"
                  onClick={() => handleJump(path)}
                >
                  {labels[at]}
                </Anchor>
                : <bdi>{message}</bdi>
              </>
            )}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
