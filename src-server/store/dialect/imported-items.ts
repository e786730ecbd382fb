import { sql, type RawBuilder } from 'kysely';
import { spelled } from './spelled.ts';

/** E-mails in a JSON array of `{ client: { email } }`, as rows with `email`; other elements have none. */
export const emailsOfClients = (json: string): RawBuilder<unknown> =>
  spelled(
    sql`(SELECT trim(value ->> '$.client.email') AS email FROM json_each(${json})
      WHERE type = 'object' AND json_type(value, '$.client.email') = 'text')`,
    sql`(SELECT btrim(value -> 'client' ->> 'email', ' ') AS email FROM each_object(${json})
      WHERE json_typeof(value) = 'object' AND json_typeof(value #> '{client,email}') = 'string')`,
  );

/**
 * Elements of a JSON array as rows with `key` and `item`, the text of the element; `null` for elements that are not
 * objects.
 */
export const objectsIn = (json: string): RawBuilder<unknown> =>
  spelled(
    sql`(SELECT key, CASE WHEN type = 'object' THEN value ELSE 'null' END AS item FROM json_each(${json}) WHERE true)`,
    // The element's text still contains an escaped NUL, for which its field is refused.
    sql`(SELECT at - 1 AS key, CASE WHEN json_typeof(value) = 'object' THEN CAST(value AS text) ELSE 'null' END AS item
      FROM json_array_elements(CAST(${json} AS json)) WITH ORDINALITY AS t(value, at))`,
  );
