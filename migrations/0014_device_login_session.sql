-- The session that approved a device login. An approval that has not been exchanged ends with this session.

alter table device_logins add column session_id uuid references sessions (id) on delete cascade;
create index device_logins_session on device_logins (session_id) where session_id is not null;
