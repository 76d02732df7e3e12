-- API keys that may only read, and device logins that ask for one. A key never changes from one kind to the other.

alter table api_keys add column read_only boolean not null default false;
alter table device_logins add column read_only boolean not null default false;
