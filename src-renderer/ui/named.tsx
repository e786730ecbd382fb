/** Stands in a sentence where the name comes; no text and no name has it. */
const MARK = '\uE000';

interface NamedProps {
  /** The sentence of the texts around a name. */
  sentence: (name: string) => string;
  name: string;
}

/** A sentence with a name in it, which stands apart: whatever its script, what surrounds it keeps its order. */
export function Named({ sentence, name }: NamedProps) {
  const [before = '', after = ''] = sentence(MARK).split(MARK);
  return (
    <>
      {before}
      <bdi>{name}</bdi>
      {after}
    </>
  );
}
