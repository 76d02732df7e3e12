-- Rate limits, and stored responses to requests with an Idempotency-Key.

-- One row per token bucket of a rate limit. Unlogged, because frequent requests write it: after a crash of the
-- database, all buckets are full.
create unlogged table rate_limits (
  key text primary key,
  tokens double precision not null,
  allowed boolean not null,
  updated_at timestamptz(3) not null
);
create index rate_limits_age on rate_limits (updated_at);

-- One row per stored response, written in the transaction of the request's changes. A repeated request with the same
-- key gets this response.
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
