import classes from './named.module.css';

/** Placeholder of the name in a sentence; neither texts nor names contain it. */
const MARK = '\uE000';

interface NamedProps {
  /** Builds the translated sentence around a placeholder. */
  sentence: (name: string) => string;
  name: string;
}

/** A sentence with an isolated name: whatever its script, the surrounding text keeps its order. */
export function Named({ sentence, name }: NamedProps) {
  const [before = '', after = ''] = sentence(MARK).split(MARK);
  return (
    <>
      {before}
      <bdi className={classes['name']}>{name}</bdi>
      {after}
    </>
  );
}
