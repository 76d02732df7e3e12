-- Workers don't poll for work that doesn't exist: a row that begins to wait for one wakes them. These are the tables whose
-- rows no code of the server announces, because triggers write them or their time is yet to come.
create function wake_workers() returns trigger language plpgsql as $$
begin
  perform pg_notify(tg_argv[0], '');
  return null;
end $$;

create trigger wake_workers after insert on search_backlog
  for each statement execute function wake_workers('atrium_search');

create trigger wake_workers_inserted after insert on search_entries
  for each row when (new.text_due_at is not null) execute function wake_workers('atrium_texts');
create trigger wake_workers_updated after update of text_due_at on search_entries
  for each row when (old.text_due_at is null and new.text_due_at is not null)
  execute function wake_workers('atrium_texts');

create trigger wake_workers_inserted after insert on schedules
  for each row when (new.due_at is not null) execute function wake_workers('atrium_schedules');
create trigger wake_workers_updated after update of due_at on schedules
  for each row when (old.due_at is null and new.due_at is not null)
  execute function wake_workers('atrium_schedules');
