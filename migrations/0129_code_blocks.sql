-- The run only runs a program, its only call, and asks no model.
alter table runs add is_program boolean not null default false;
