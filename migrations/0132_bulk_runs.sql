-- An item of a list, or started by one. These runs leave some of their organization's slots to others.
alter table runs add is_bulk boolean not null default false;

drop index runs_due;
create index runs_due on runs (org_id, is_bulk, due_at) where due_at is not null;
