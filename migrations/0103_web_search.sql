-- Where an organization's agents search the web, in place of the operator's provider.
create table web_search_settings (
  org_id uuid primary key references organizations,
  kind text not null,
  -- Null for the vendor's own.
  url text,
  -- Google calls it cx. Null for the others.
  engine_id text,
  -- Encrypted; null for a server without authentication.
  key_sealed text,
  key_last_four text,
  updated_by uuid not null references users,
  updated_at timestamptz(3) not null
);
