-- The last backup that `atrium-server backup` has completed and verified. Any process may write it, on any machine.
create table last_backup (
  only_row boolean primary key default true check (only_row),
  -- The time of its snapshot.
  created_at timestamptz(3) not null,
  host text not null,
  folder text not null,
  bytes bigint not null,
  -- Objects that the file storage had lost or changed.
  lacking_objects int not null
);
