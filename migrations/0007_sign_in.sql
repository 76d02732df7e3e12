-- Sign-in methods in addition to the password, and the second factor.

alter table users
  add column totp_secret text,                 -- sealed; set when enrolment begins
  add column totp_enabled_at timestamptz(3),   -- set when the first code has confirmed it
  add column totp_last_step bigint;            -- the newest time step used, so that no code works twice

-- One row per unused recovery code of a user.
create table recovery_codes (
  user_id uuid not null references users on delete cascade,
  code_hash bytea not null,
  primary key (user_id, code_hash)
);

create table passkeys (
  user_id uuid not null references users on delete cascade,
  id uuid not null,
  credential_id text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  synced boolean not null,
  name text not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  primary key (user_id, id)
);
create unique index passkeys_credential on passkeys (credential_id);

-- One row per linked identity: a user's account at a sign-in provider.
create table identities (
  provider text not null,
  subject text not null,
  user_id uuid not null references users on delete cascade,
  email text,
  created_at timestamptz(3) not null,
  primary key (provider, subject)
);
create index identities_user on identities (user_id);

-- One row per one-time token: an emailed link, a pending sign-in, a challenge or an OAuth state. Using a token deletes
-- its row.
create table tickets (
  token_hash bytea primary key,
  kind text not null,
  user_id uuid references users on delete cascade,
  data jsonb not null default '{}',
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create index tickets_user on tickets (user_id, kind);
create index tickets_expiry on tickets (expires_at);
