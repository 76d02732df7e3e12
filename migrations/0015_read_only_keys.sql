-- Read-only API keys, and device logins that request one. `read_only` of a key never changes.

alter table api_keys add column read_only boolean not null default false;
alter table device_logins add column read_only boolean not null default false;
