import { Alert, type AlertProps } from '@mantine/core';
import classes from './notices.module.css';
import { useIntoView } from './use-into-view.ts';

interface FailureProps extends Pick<AlertProps, 'mb' | 'mt'> {
  error: { message?: string | undefined } | null | undefined;
}

/** Why something was refused or failed. Empty without an error. */
export function Failure({ error, ...rest }: FailureProps) {
  const notice = useIntoView(error?.message);
  if (error?.message === undefined) return null;
  return (
    <Alert ref={notice} color="red" role="alert" className={classes['notice'] ?? ''} {...rest}>
      <bdi>{error.message}</bdi>
    </Alert>
  );
}
