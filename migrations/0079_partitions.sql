-- The event log, its deliveries and attempts, and the events of runs are partitioned by time, so that retention drops a
-- table instead of deleting rows. The partition key is an id: ids are UUIDv7, which begin with their time, so primary
-- keys stay the same, and a lookup by id reads one partition.
--
-- Existing rows are not copied: their table becomes the first partition, up to the end of the current week or day, with
-- its indexes. Attaching it reads each table once. `docs/growth.md` has the design and the measurements.

/* The first id of a time. */
create function first_id_at(at timestamptz) returns uuid language sql immutable parallel safe as $$
  select (lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

/*
 * Adds a partition. `create table … partition of` would lock the parent against reads; attaching a table does not. It
 * reads the rows of the default partition, which has few, and fails (check_violation) if they belong to the new one.
 */
create function add_time_partition(parent regclass, starts timestamptz, ends timestamptz) returns void
language plpgsql as $$
declare
  child text := format('%s_%s', parent, to_char(starts at time zone 'UTC', 'YYYYMMDD'));
  options text := (select array_to_string(reloptions, ', ') from pg_class where oid = format('%s_default', parent)::regclass);
begin
  -- Of several workers that start at the same time, the first one adds it.
  perform pg_advisory_xact_lock(parent::oid::int, 75);
  if to_regclass(child) is not null then return; end if;
  execute format('create table %I (like %s including all)', child, parent);
  if options is not null then
    execute format('alter table %I set (%s)', child, options);
  end if;
  execute format('alter table %s attach partition %I for values from (%L) to (%L)', parent, child,
    first_id_at(starts), first_id_at(ends));
end $$;

-- Dropping a partition does not cascade: retention deletes dependent rows itself. Attempts are deleted with their
-- webhook.
drop trigger events_deleted on events;
alter table deliveries drop constraint deliveries_org_id_event_id_fkey;
alter table delivery_attempts drop constraint delivery_attempts_org_id_delivery_id_fkey;
alter table delivery_attempts add foreign key (org_id, webhook_id) references webhooks on delete cascade;

do $$
declare
  part record;
  ends timestamptz;
  last_id uuid;
  options text;
  keys text[];
  indexes text[];
  object record;
begin
  for part in select * from (values
    ('events', 'id', 'week', interval '168 hours', 2), ('deliveries', 'id', 'week', interval '168 hours', 2),
    ('delivery_attempts', 'delivery_id', 'week', interval '168 hours', 2),
    ('run_events', 'run_id', 'day', interval '24 hours', 4)) t (name, key, unit, width, ahead)
  loop
    keys := array(
      select format('alter table %I add constraint %I %s', part.name, conname, pg_get_constraintdef(oid))
      from pg_constraint where conrelid = part.name::regclass and contype in ('p', 'f'));
    indexes := array(
      select pg_get_indexdef(i.indexrelid) from pg_index i where i.indrelid = part.name::regclass and not i.indisprimary);
    options := (select array_to_string(reloptions, ', ') from pg_class where oid = part.name::regclass);
    for object in
      select conname as name from pg_constraint
      where conrelid = part.name::regclass and contype = 'c' and not convalidated
    loop
      execute format('alter table %I validate constraint %I', part.name, object.name);
    end loop;
    for object in
      select conname as name from pg_constraint where conrelid = part.name::regclass and contype in ('p', 'f')
    loop
      execute format('alter table %I rename constraint %I to %I', part.name, object.name,
        replace(object.name, part.name, part.name || '_initial'));
    end loop;
    for object in
      select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indrelid = part.name::regclass and not i.indisprimary
    loop
      execute format('alter index %I rename to %I', object.name, replace(object.name, part.name, part.name || '_initial'));
    end loop;
    execute format('alter table %I rename to %I', part.name, part.name || '_initial');
    execute format('create table %I (like %I including all excluding indexes) partition by range (%I)',
      part.name, part.name || '_initial', part.key);
    for object in select unnest(keys || indexes) as statement loop
      execute object.statement;
    end loop;
    ends := date_trunc(part.unit, now(), 'UTC') + part.width;
    begin
      execute format('alter table %I attach partition %I for values from (minvalue) to (%L)',
        part.name, part.name || '_initial', first_id_at(ends));
    exception when check_violation then
      -- Rows of a clock that was ahead: the first partition ends after them.
      execute format('select %I from %I order by 1 desc limit 1', part.key, part.name || '_initial') into last_id;
      ends := date_trunc(part.unit, to_timestamp(
        ('x' || replace(left(last_id::text, 13), '-', ''))::bit(48)::bigint / 1000.0), 'UTC') + part.width;
      execute format('alter table %I attach partition %I for values from (minvalue) to (%L)',
        part.name, part.name || '_initial', first_id_at(ends));
    end;
    execute format('create table %I partition of %I default', part.name || '_default', part.name);
    if options is not null then
      execute format('alter table %I set (%s)', part.name || '_default', options);
    end if;
    for n in 0..part.ahead - 1 loop
      perform add_time_partition(part.name::regclass, ends + n * part.width, ends + (n + 1) * part.width);
    end loop;
  end loop;
end $$;

create trigger events_deleted after delete on events referencing old table as changed
  for each statement execute function count_deleted_events();

-- Retention does not delete events with unfinished deliveries. A replay may be weeks newer than its event, so that its
-- partition outlives the partition of the event.
create index deliveries_unfinished on deliveries (event_id) where status in ('pending', 'retrying', 'held');
create index deliveries_replays on deliveries (event_id) where trigger = 'replay';
