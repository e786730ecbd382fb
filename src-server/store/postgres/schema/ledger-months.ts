/**
 * Functions that create and drop the months of the ledger, UTC: docs/ledger.md. Carried-over sums, at 0, and everything
 * before the year 2000 are in `trafficLedger_carried`; rows without a month are in `trafficLedger_other`.
 */
export const LEDGER_MONTHS: readonly string[] = [
  `CREATE OR REPLACE FUNCTION make_ledger_month(moment_sec bigint) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE
      month timestamp := date_trunc('month', to_timestamp(moment_sec) AT TIME ZONE 'UTC');
      part text := to_char(month, '"trafficLedger_"YYYY_MM');
      first_sec bigint := extract(epoch FROM month);
      end_sec bigint := extract(epoch FROM month + interval '1 month');
    BEGIN
      IF month < '2000-01-01' OR to_regclass(quote_ident(part)) IS NOT NULL THEN RETURN; END IF;
      -- Two that make it at once take turns.
      LOCK TABLE "trafficLedger" IN SHARE UPDATE EXCLUSIVE MODE;
      IF to_regclass(quote_ident(part)) IS NOT NULL THEN RETURN; END IF;
      -- A month is refused as long as a row of it lies among the others.
      LOCK TABLE "trafficLedger_other" IN ACCESS EXCLUSIVE MODE;
      -- Ticks move the rows of a bucket again and again, all at once: each page has room for a second version of its rows.
      EXECUTE format('CREATE TABLE %I (LIKE "trafficLedger" INCLUDING ALL) WITH (fillfactor = 50)', part);
      EXECUTE format('WITH moved AS (DELETE FROM "trafficLedger_other"
        WHERE "bucketStartSec" >= %s AND "bucketStartSec" < %s RETURNING *) INSERT INTO %I SELECT * FROM moved',
        first_sec, end_sec, part);
      EXECUTE format('ALTER TABLE "trafficLedger" ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)', part, first_sec, end_sec);
    END $$`,
  `CREATE OR REPLACE FUNCTION keep_ledger_months(now_sec bigint, oldest_sec bigint) RETURNS boolean
    LANGUAGE plpgsql SET lock_timeout = '1s' AS $$
    DECLARE
      next_sec bigint := extract(epoch FROM
        date_trunc('month', to_timestamp(now_sec) AT TIME ZONE 'UTC') + interval '1 month');
      moment_sec bigint;
      part text;
      has_rows boolean;
    BEGIN
      FOREACH moment_sec IN ARRAY ARRAY[now_sec, next_sec] || ARRAY(SELECT DISTINCT "bucketStartSec" FROM "trafficLedger_other")
      LOOP
        PERFORM make_ledger_month(moment_sec);
      END LOOP;
      FOR part IN SELECT relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
        WHERE inhparent = '"trafficLedger"'::regclass AND relname ~ '_[0-9]+_[0-9]+$'
          AND to_date(substr(relname, 15), 'YYYY_MM') + interval '1 month' <= to_timestamp(oldest_sec) AT TIME ZONE 'UTC'
      LOOP
        EXECUTE format('SELECT EXISTS (SELECT 1 FROM %I)', part) INTO has_rows;
        CONTINUE WHEN has_rows;
        LOCK TABLE "trafficLedger" IN ACCESS EXCLUSIVE MODE;
        EXECUTE format('SELECT EXISTS (SELECT 1 FROM %I)', part) INTO has_rows;
        CONTINUE WHEN has_rows;
        EXECUTE format('DROP TABLE %I', part);
      END LOOP;
      RETURN true;
    EXCEPTION WHEN lock_not_available THEN
      -- A long read of the ledger holds the lock. Writers must not queue behind it.
      RETURN false;
    END $$`,
];
