-- One row per provider of language models that an organization has added to those of the operator.

create table model_providers (
  org_id uuid not null references organizations,
  id uuid not null,
  -- The part of a model id before the first slash.
  slug text not null,
  kind text not null,
  name text not null,
  url text not null,
  -- Encrypted; null for a server without authentication.
  key_sealed text,
  key_last_four text,
  models text[] not null default '{}',
  version integer not null default 1,
  created_by uuid not null references users,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (org_id, id),
  unique (org_id, slug)
);
