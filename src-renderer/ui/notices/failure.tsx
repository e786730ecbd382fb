import { Alert, type AlertProps } from '@mantine/core';

interface FailureProps extends Pick<AlertProps, 'mb' | 'mt'> {
  error: { message?: string | undefined } | null | undefined;
}

/** Why something was refused or failed. Empty without an error. */
export function Failure({ error, ...rest }: FailureProps) {
  if (error?.message === undefined) return null;
  return (
    <Alert color="red" role="alert" {...rest}>
      <bdi>{error.message}</bdi>
    </Alert>
  );
}
