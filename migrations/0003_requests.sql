-- What the request machinery remembers.

-- Token buckets. Unlogged: they are written on hot paths, and all that a crash of the database loses is that
-- callers start again with full buckets.
create unlogged table rate_limits (
  key text primary key,
  tokens double precision not null,
  allowed boolean not null,
  updated_at timestamptz(3) not null
);
create index rate_limits_age on rate_limits (updated_at);

-- First answers to requests that carried an Idempotency-Key, written in the transaction of their effect.
create table idempotent_answers (
  org_id uuid not null,
  user_id uuid not null,
  key text not null,
  request_hash bytea not null,
  status integer not null,
  headers jsonb not null,
  body text not null,
  created_at timestamptz(3) not null,
  primary key (org_id, user_id, key)
);
create index idempotent_answers_age on idempotent_answers (created_at);
