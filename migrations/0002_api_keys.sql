-- One row per API key. `hash` is the SHA-256 hash of the whole key; the key itself is never stored.

create table api_keys (
  org_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  name text not null,
  prefix text not null,
  last_four text not null,
  scopes text[] not null,
  hash bytea not null,
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  primary key (org_id, id),
  foreign key (org_id, user_id) references memberships (org_id, user_id) on delete cascade
);
create unique index api_keys_hash on api_keys (hash) where revoked_at is null;
create index api_keys_owner on api_keys (org_id, user_id, id desc) where revoked_at is null;
