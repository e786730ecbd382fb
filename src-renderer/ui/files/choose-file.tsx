import { FileButton, type FileButtonProps } from '@mantine/core';
import type { MouseEvent } from 'react';

/** A button that chooses a file: the same one again too, which a browser does not report as a change. */
export function ChooseFile({ inputProps, ...rest }: FileButtonProps) {
  return <FileButton {...rest} inputProps={{ ...inputProps, onClick: forget }} />;
}

function forget({ currentTarget }: MouseEvent<HTMLInputElement>): void {
  currentTarget.value = '';
}
