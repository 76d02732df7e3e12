-- One row, for the installation. The fingerprint identifies the master secret without revealing it.
create table installation (
  only_row boolean primary key default true check (only_row),
  secret_fingerprint text not null,
  created_at timestamptz(3) not null default now()
);
