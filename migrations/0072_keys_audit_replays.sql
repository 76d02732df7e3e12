-- Expiry, last IP address and daily calls of API keys; search in the audit log; replayed deliveries.

alter table api_keys
  -- When the key expires; null if it does not. Never changes, so that a key is not valid for longer than its owner
  -- agreed to.
  add column expires_at timestamptz(3),
  add column last_used_address text,
  -- When the owner was notified that the key expires soon.
  add column expiry_notified_at timestamptz(3);
create index api_keys_expiry on api_keys (expires_at) where expires_at is not null and revoked_at is null;

-- One row per API key and day (UTC): the number of requests, counted in memory and added in batches.
create table api_key_days (
  org_id uuid not null,
  key_id uuid not null,
  day date not null,
  calls bigint not null,
  primary key (org_id, key_id, day),
  foreign key (org_id, key_id) references api_keys on delete cascade
) with (fillfactor = 70);
create index api_key_days_day on api_key_days (day);

-- The words of the action, the actor, the target and the details at the time of the entry, in lower case. A word with
-- punctuation, such as an email address, is stored whole and in parts.
alter table audit add column words tsvector not null default '';
update audit a set words = array_to_tsvector(array(
  select distinct left(part, 100) from (
    select concat_ws(' ', a.action, (select concat_ws(' ', u.name, u.email) from users u where u.id = a.user_id), a.target,
      (select string_agg(d.value, ' ') from jsonb_each_text(a.details) d)) as said
  ) entry,
  regexp_split_to_table(lower(left(said, 1000)), '[^[:alnum:]@._+-]+') word,
  regexp_split_to_table(word || ' ' || regexp_replace(word, '[@._+-]+', ' ', 'g'), ' ') part
  where part <> ''));
create index audit_words on audit using gin (org_id, words);

alter table deliveries drop constraint deliveries_trigger_check;
alter table deliveries add constraint deliveries_trigger_check
  check (trigger in ('scheduled', 'manual', 'test', 'replay')) not valid;
