import { TextAt } from '../parts/fields.tsx';
import { randomWord } from '../parts/random-text.ts';
import { RowsAt } from '../parts/rows-at.tsx';

/** Names and passwords of protocols without clients. */
export function Accounts() {
  return (
    <RowsAt path="settings.accounts" name="accounts" fresh={() => ({ user: randomWord(8), pass: randomWord(16) })}>
      {(path) => (
        <>
          <TextAt path={`${path}.user`} name="user" />
          <TextAt path={`${path}.pass`} name="pass" />
        </>
      )}
    </RowsAt>
  );
}
