-- One row per device login: a terminal that waits for the approval of a member. Both codes are stored as hashes.

create table device_logins (
  id uuid primary key,
  device_code_hash bytea not null,
  user_code_hash bytea not null,
  status text not null default 'pending' check (status in ('pending', 'approved', 'denied', 'consumed')),
  client_name text,
  hostname text,
  scopes text[] not null,
  address text not null,
  org_id uuid,
  user_id uuid,
  last_polled_at timestamptz(3),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  foreign key (org_id, user_id) references memberships (org_id, user_id) on delete cascade
);
create unique index device_logins_device on device_logins (device_code_hash);
create unique index device_logins_user on device_logins (user_code_hash);
create index device_logins_expiry on device_logins (expires_at);
